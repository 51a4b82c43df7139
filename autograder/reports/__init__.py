"""Reports: one file a format, pure functions of a report."""
