"""An otter plugin: student code runs in our sandbox, never in otter's kernel nor its parent.

Otter calls, in its parent process: `before_grading` when it has found the file, `before_execution`
with the notebook that its kernel is to run, `after_grading` with the kernel's results.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import nbformat
from otter.plugins import AbstractOtterPlugin  # type: ignore[import-untyped]
from otter.test_files import GradingResults, TestCase  # type: ignore[import-untyped]
from otter.test_files.abstract_test import TestCaseResult  # type: ignore[import-untyped]
from otter.test_files.exception_test import ExceptionTestFile  # type: ignore[import-untyped]

from autograder.otter.sheet import PLUGIN, Marker, Row, Sheet

EMPTY = "otter-runs-here"
BLANK = json.dumps({
    "nbformat": 4, "nbformat_minor": 5, "cells": [],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
})
"""A notebook without cells, for the kernel that every machine has."""


class Plugin(AbstractOtterPlugin):  # type: ignore[misc]
    """Grades with autograder; configured with the fields of `Marker`."""

    def __init__(self, submission_path: str, submission_metadata: Any, plugin_config: Any) -> None:
        super().__init__(submission_path, submission_metadata, plugin_config)
        self._sheet = Sheet((), "")

    def before_grading(self, config: Any) -> None:
        """Move otter to a folder in which nothing of the student's lies.

        From its working directory otter unpickles `.OTTER_LOG`, starts a kernel that imports from
        there, and reads a script whose encoding may be none: whatever came with the submission
        would be run, or would end the run without results.
        """
        submitted = Path(self.submission_path)
        empty = submitted.parent.parent / EMPTY
        empty.mkdir(exist_ok=True)
        os.chdir(empty)
        if config.pdf or config.token:
            shutil.copyfile(submitted, submitted.name)  # for the PDF alone
        else:
            text = BLANK if submitted.suffix == ".ipynb" else ""
            Path(submitted.name).write_text(text, encoding="utf-8")

    def before_execution(self, submission: Any) -> Any:
        """Give otter's kernel nothing to run."""
        return nbformat.reads(BLANK, as_version=4)  # type: ignore[no-untyped-call]

    def after_grading(self, results: Any) -> None:
        """Run our grader, and put its rows in the place of otter's."""
        self._sheet = Marker(**self.plugin_config).file(Path(self.submission_path))
        vars(results).update(vars(filled(self._sheet)) | {"notebook": results.notebook})

    def generate_report(self) -> str:
        """What otter prints to the grading log."""
        return self._sheet.output


def filled(sheet: Sheet) -> Any:
    """Otter's results with our rows, made of otter's own classes.

    `otter grade` unpickles them on a machine that may not have autograder.
    """
    results = GradingResults([_test_file(row) for row in sheet.rows])
    results.set_output(sheet.output)
    results.set_plugin_data(PLUGIN, sheet.report)
    return results


def _test_file(row: Row) -> Any:
    case = TestCase(name=row.name, body="", hidden=False, points=row.max_score,
                    success_message=row.text if row.passed else None, failure_message=None)
    file = ExceptionTestFile(row.name, row.name, [case], all_or_nothing=False)
    file.test_case_results = [TestCaseResult(test_case=case, message=row.text, passed=row.passed)]
    file.update_score(row.score)
    return file
