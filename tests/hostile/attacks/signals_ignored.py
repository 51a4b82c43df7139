# says: timeout
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    while True:
        pass
