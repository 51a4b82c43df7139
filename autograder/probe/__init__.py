"""The student's side: runs the submission and answers the judge's questions with plain data."""
