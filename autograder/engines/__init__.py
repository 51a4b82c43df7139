"""Where a batch's submissions are graded: on this machine, or on many."""
