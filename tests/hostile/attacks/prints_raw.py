# says: same
import os
for _ in range(2000):
    os.write(1, b"x" * 1_000_000)
    os.write(2, b"x" * 1_000_000)
