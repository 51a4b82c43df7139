"""From a file to a `Submission`: a notebook, a script, or otter's zip holding one of them.

Files come damaged, renamed, cut off and sometimes hostile. Whatever the bytes are, reading them
gives a `Submission` or raises `Unreadable`, whose reason tells a person what to do. Nothing is
run, extracted or unpickled here.
"""

from autograder.submission.model import MAX_FILE, Cell, Place, Submission, Unreadable
from autograder.submission.reading import parse, read

__all__ = ["MAX_FILE", "Cell", "Place", "Submission", "Unreadable", "parse", "read"]
