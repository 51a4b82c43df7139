# says: same
import os
import torch as library
treasure = "@TREASURE@/grading.yml"
attempt("append", lambda: open(treasure, "a"))
attempt("report", lambda: open("@OUT@/students/idle/report.json", "w"))
attempt("library", lambda: open(library.__file__, "a"))
attempt("grader", lambda: open("@ROOT@/autograder/judge.py", "a"))
attempt("shared", lambda: open("/dev/shm/note", "w"))
attempt("unlink", lambda: os.unlink(treasure))
attempt("rename", lambda: os.rename(treasure, treasure + "2"))
attempt("chmod", lambda: os.chmod(treasure, 0))
attempt("chown", lambda: os.chown(treasure, 1, 1))
attempt("touch", lambda: os.utime(treasure, (0, 0)))
attempt("truncate", lambda: os.truncate(treasure, 0))
attempt("symlink", lambda: os.symlink(treasure, "link"))
attempt("link", lambda: os.link(treasure, "hard"))
attempt("mkdir", lambda: os.mkdir("@TREASURE@/mine"))
attempt("mkfifo", lambda: os.mkfifo("fifo"))
