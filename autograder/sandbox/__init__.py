"""Running a submission in a process of its own, and questioning it from outside."""
