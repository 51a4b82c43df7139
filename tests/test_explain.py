import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from autograder.cli import group
from autograder.messages import Messages
from autograder.reports.explain import formatted


def run(*args):
    return CliRunner().invoke(group, ["explain", *args])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_is_printed(language):
    result = run("graph-reuse", "--lang", language)
    assert result.exit_code == 0
    assert result.output.startswith("# graph-reuse")
    assert Messages(language).title("graph-reuse") in result.output


def test_without_a_code_all_are_listed():
    lines = run().output.split("\n")
    assert {line.split()[0] for line in lines if line and line[0] != " "} == set(Messages().codes)


def test_a_near_name_is_suggested():
    result = run("graph-reused")
    assert result.exit_code == 2
    assert "Did you mean graph-reuse?" in result.output


@pytest.mark.parametrize("language", ["en", "zh"])
def test_in_a_terminal_every_page_fits_and_code_is_left_as_it_is(language):
    messages = Messages(language)
    for code in messages.codes:
        lines = [line.plain for line in formatted(messages.page(code), 80)]
        assert all(cell_len(line) <= 80 or line.startswith("  │ ") for line in lines)
        assert not any(line.startswith(("#", "```")) for line in lines)
