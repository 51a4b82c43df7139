"""Checks: pure functions from a case (evidence beside truth) to a verdict.

A function's docstring is the sentence that the student reads.
"""
