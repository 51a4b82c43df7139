"""The otter-grader door: building assignments, checks in the notebook, grading what comes back."""
