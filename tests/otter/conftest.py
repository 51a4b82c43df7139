"""Otter warns while it is imported, and here a warning is an error."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import otter.run  # noqa: F401
    import otter.run.run_autograder  # noqa: F401
