"""Plays a student at a notebook: runs files in one IPython shell and checks each there.

    python desk.py linear=a.py conv=b.ipynb …        a line of JSON for each
"""

import json
import sys
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from autograder.notebook import check
from autograder.submission import read


def main() -> None:
    shell = InteractiveShell.instance()
    # A student's machine has matplotlib, and what `!pip install` would bring.
    shell.register_magic_function(lambda line: None, magic_name="matplotlib")
    shell.system = lambda command: None
    for argument in sys.argv[1:]:
        assignment, path = argument.split("=", 1)
        shell.reset(new_session=True)
        shell.history_manager.exceptions.clear()
        for cell in read(Path(path)).cells:
            shell.run_cell(cell.source, store_history=True)
        report = check(assignment).report
        print("\n" + json.dumps({"file": path, "report": report}), flush=True)


if __name__ == "__main__":
    main()
