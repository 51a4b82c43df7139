from autograder.watching import saves


def played(path, *moments):
    """How often a save was noticed while these things happened to the file, one a pause."""
    events = iter(moments)
    stopped = []

    def pause():
        event = next(events, None)
        if event is None:
            stopped.append(True)
            raise KeyboardInterrupt
        if event is not True:
            event()

    count = 0
    try:
        for _ in saves(path, pause):
            count += 1
    except KeyboardInterrupt:
        pass
    assert stopped
    return count


def test_a_file_is_checked_at_once_and_after_each_save(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("1")
    still = True
    assert played(path, still, still) == 1
    assert played(path, lambda: path.write_text("12"), still, still) == 2
    assert played(path, lambda: path.write_text("123"), still, lambda: path.write_text("1"),
                  still) == 3


def test_a_file_that_is_away_or_still_growing_is_not_a_save(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("1")
    assert played(path, path.unlink, True, lambda: path.write_text("12"),
                  lambda: path.write_text("123"), lambda: path.write_text("1234"), True) == 2
