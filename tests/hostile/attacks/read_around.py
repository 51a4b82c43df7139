# says: same
import glob, os
import autograder
here = os.path.dirname(autograder.__file__)
for number, path in enumerate((
    "@TREASURE@/grading.yml", "@ROOT@/grading.yml", "@ROOT@/tests/hostile/base.py",
    "@ROOT@/solutions/linear.ipynb", here + "/grading.yml", here + "/exercises/linear.py",
    "@OUT@/students/idle/report.json", "/etc/passwd", "/etc/shadow", "/root/.bashrc",
    "/proc/1/environ", f"/proc/{os.getppid()}/environ", f"/proc/{os.getppid()}/mem",
)):
    attempt(f"read_{number}", lambda: open(path, "rb").read(1)[0])
for number, folder in enumerate(("@ROOT@/tests", "@ROOT@/solutions", "@ROOT@/.git", "@OUT@",
                                 "@TREASURE@", "/home", "/proc", "/dev/shm")):
    attempt(f"list_{number}", lambda: os.listdir(folder)[0])
