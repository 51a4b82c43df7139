# says: crash
import subprocess
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
