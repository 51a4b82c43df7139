import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.messages import Messages
from autograder.reports import terminal
from autograder.reports.text import cut, shown, wrapped
from reports.examples import EVIL, LINEAR

EXPECTED = """\
linear.ipynb · linear · 10 points · 1.2 s

  ✓ runs             what runs asks for                                  1 / 1
  ✗ loss-falls       what loss-falls asks for                            0 / 2
  – converges        not judged: needs loss-falls                        0 / 3
  ✗ own-graph        what own-graph asks for                             0 / 3
  ✓ fresh-gradients  what fresh-gradients asks for                       1 / 1

error[graph-reuse]: every backward pass goes back through operations recorded
once, before the loop
  --> linear.ipynb:cell 2:6
   6 │     Y = X @ w + b
     │     ^^^^^^^^^^^^^
  ::: linear.ipynb:cell 3:15
  15 │         loss.backward()
     │         ─────────────── this backward pass runs them again
   = seen:  23 of 24 recorded backward passes ran old operations, 3 of them in
            the last pass
   = why:   a step's graph is torn down by its own pass
   = ask:   which tensors do you want to train?
   = learn: autograder explain graph-reuse

error[broadcast]: shapes (32, 1) and (32,) are broadcast
  --> linear.ipynb:cell 3:4
  4 │     loss = (模型(x) - y)**2  # 平方 误差
    │     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = seen:  12 times in the recorded run
   = why:   each prediction is compared with every label
   = ask:   what shapes?
   = learn: autograder explain broadcast
   = because of this, not judged: converges

4 / 10 · first thing to mend: graph-reuse
"""


def text(report, width=78, language="en", **more):
    lines = terminal.lines(report, width, Messages(language, **more), seconds=1.234)
    return "".join(line.plain + "\n" for line in lines)


def test_a_report_reads_as_in_the_sketch():
    assert text(LINEAR) == EXPECTED


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [40, 60, 80, 88])
@pytest.mark.parametrize("report", [LINEAR, EVIL], ids=["linear", "evil"])
def test_no_line_is_wider_than_the_console(report, width, language):
    for line in text(report, width, language).split("\n"):
        assert cell_len(line) <= width


def test_points_stand_in_one_column_whatever_the_language():
    rows = [line for line in text(LINEAR, 80, "zh").split("\n") if line.startswith("  ")][:5]
    assert {cell_len(row) for row in rows} == {80}


def test_the_underline_is_as_wide_as_the_code_in_columns():
    rows = text(LINEAR).split("\n")
    at = next(i for i, row in enumerate(rows) if "模型" in row)
    assert cell_len(rows[at]) == cell_len(rows[at + 1])


def test_nothing_in_a_submission_can_steer_the_terminal():
    for char in text(EVIL):
        assert char == "\n" or char.isprintable()


def test_hints_where_tells_no_why_no_question_and_no_page():
    report = {**LINEAR, "diagnoses": tuple(
        {k: v for k, v in d.items() if k not in ("why", "ask")} for d in LINEAR["diagnoses"])}
    said = text(report, hints="where")
    assert "why:" not in said
    assert "ask:" not in said
    assert "explain" not in said
    assert "cell 2:6" in said


def printed(**environment):
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system="truecolor", width=80,
                      highlight=False, _environ=environment)
    terminal._print(console, terminal.lines(LINEAR, 80))
    return out.getvalue()


def test_no_color_is_honoured():
    assert "\x1b[31m" in printed() or "\x1b[1;31m" in printed()
    assert "31m" not in printed(NO_COLOR="1")


def test_a_trace_without_a_fault_says_so():
    trace = {"submission": "a.py", "steps": 60, "stopped": True, "diagnoses": []}
    said = [line.plain for line in terminal.trace_lines(trace, 80, Messages())]
    assert said[0] == "a.py · 60 steps seen (stopped there)"
    assert said[-1] == "no fault found: no graph is reused, grows or leaks"


def test_wrapping_breaks_between_chinese_characters_and_never_before_a_closing_mark():
    assert wrapped("反向传播，梯度。", 9) == ["反向传", "播，梯", "度。"]
    assert wrapped("a bb（甲）", 6) == ["a bb", "（甲）"]
    assert wrapped("incomprehensibilities", 8) == ["incompre", "hensibil", "ities"]
    assert wrapped("", 8) == [""]


def test_cutting_never_goes_over_the_room():
    assert cut("模型模型", 5) == "模型…"
    assert cut("abc", 3) == "abc"
    assert shown("a\tb\x07\u202e") == "a   b??"
