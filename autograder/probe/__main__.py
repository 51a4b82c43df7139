"""`python -m autograder.probe`: one submission in a process of its own.

The protocol runs over duplicates of stdin and stdout, so that whatever the submission prints, or
reads, cannot get into it by accident. The process ends without clean-up: finalisers and exit
handlers of the submission do not run.
"""

import gc
import os
import sys


def main() -> None:
    """Serve the submission that comes in on stdin."""
    inward, outward = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    status = 1
    try:
        from autograder.probe.serve import serve

        gc.freeze()  # the recorder collects garbage, and need not look at all that was imported
        serve(inward, outward)
        status = 0
    finally:
        os._exit(status)


if __name__ == "__main__":
    sys.setrecursionlimit(2000)
    main()
