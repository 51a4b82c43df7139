"""IPython's magics and shell lines do nothing, and every line keeps its number."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cells import NAME, only_error, ran, script

from autograder import cells, magics


@pytest.mark.parametrize(
    "source",
    [
        "%matplotlib inline",
        "%load_ext autoreload\n%autoreload 2",
        "!pip install torch",
        "pip install torch",
        "!!ls",
        "?print",
        "print?",
        "print??",
        "%time?",
        "%%bash\nrm -rf /",
        "%%html\n<b>",
        "%%writefile a.py\nx = = 1",
        "\n\n%%javascript\n=",
        "%%time\n%%bash\nexit 1",
        "display(1, x=2)",
        "display",
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        "get_ipython().system('ls')",
        "get_ipython().events.register('x', print)",
        "if 'IPKernelApp' in get_ipython().config: 1 / 0",
        "assert 'google.colab' not in str(get_ipython())",
        "files = !ls\nassert list(files) == [] and len(files) == 0",
        "n = %env HOME",
        "def f():\n    %matplotlib inline\n    !ls\nf()",
        "for i in range(2):\n    !echo {i}",
        "if True:\n    x = !ls",
        "!echo a \\\n  b",
        "%%capture out\nprint(1)\nout.show()",
        ">>> x = 1\n>>> x",
        "In [1]: x = 1\n   ...: y = 2",
        "  x = 1\n  y = 2",
    ],
)
def test_magics_and_shell_lines_hurt_nobody(source: str) -> None:
    loaded = ran(source, "after = 1")
    assert loaded.errors == () and loaded.namespace["after"] == 1


@pytest.mark.parametrize(
    "source",
    [
        "%%time\nx = 1\nhere()",
        "%%timeit -n 3\n\nhere()",
        "%%capture out\n%%time\nhere()",
        "\n\n%%prun\nhere()",
        "%matplotlib inline\n\nhere()",
        "!pip install \\\n  torch \\\n  numpy\nhere()",
        "x = !ls \\\n  -l\nhere()",
        "x = %env \\\n  HOME\n!ls\\\n-l\nhere()",
        "def f():\n    !ls \\\n      -l\n    here()\nf()",
        "print?\n\nhere()",
        "\n\n\n%load_ext x\nhere()",
        "s = '''\n%time no\n!no\n'''\n!ls\nassert s == '\\n%time no\\n!no\\n' or 1\nhere()",
        "    %matplotlib inline\n    here()",
        "%time here()",
        "x = (1\n  % 2)\n!ls\nhere()",
    ],
)
def test_lines_keep_their_numbers(source: str) -> None:
    program = "import sys\ndef here():\n  seen.append(sys._getframe(1).f_lineno)\nseen = []"
    loaded = ran(program, source)
    want = next(at for at, text in enumerate(source.split("\n"), 1) if "here()" in text)
    assert loaded.errors == ()
    assert loaded.namespace["seen"] == [want]


def test_syntax_errors_behind_magics_keep_their_line() -> None:
    assert only_error(ran("%%time\n!ls \\\n -l\n\nx = = 1")).places == ((1, 5),)


def test_time_binds_names() -> None:
    loaded = ran("%time x = 3\ny = %time x + 1")
    assert (loaded.namespace["x"], loaded.namespace["y"]) == (3, 4)


def test_a_script_may_have_magics() -> None:
    with cells.run(script("# %%\n%matplotlib inline\n# %%\nx = 1"), name=NAME) as loaded:
        assert loaded.errors == () and loaded.namespace["x"] == 1


lines = st.sampled_from(
    [
        "x = 1",
        "",
        "!ls \\",
        "%time x = 2",
        "y = !ls",
        "  ",
        "'''",
        "if x:",
        "    %env",
        "x?",
        "%%time",
    ]
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(lines, min_size=1, max_size=8).map("\n".join))
def test_translating_keeps_the_number_of_lines(source: str) -> None:
    translated = magics.as_python(source)
    if translated is not None:
        assert translated.rstrip("\n").count("\n") <= source.count("\n")
        loaded = ran(source + "\n'''\n'''\nraise LookupError  # last")
        for error in loaded.errors:
            assert all(line <= source.count("\n") + 4 for _, line in error.places)
            if error.kind == "LookupError":
                assert error.places == ((1, source.count("\n") + 4),)


def test_ipython_is_imported_only_when_needed() -> None:
    program = (
        "import sys\nfrom autograder import cells\nfrom autograder.submission import *\n"
        "def go(source):\n"
        "  with cells.run(Submission('a', (Cell(1, source),), '0'), name='m') as loaded: pass\n"
        "  print('IPython' in sys.modules, 'asyncio' in sys.modules)\n"
        "go('x = 7 % 2')\ngo('x = = 1')\ngo('!ls')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    seen = [line.split()[0] for line in done.stdout.splitlines()]
    assert seen == ["False", "False", "True"], done.stderr
