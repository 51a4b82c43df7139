# says: timeout killed
import os
os.read(3, 100)
