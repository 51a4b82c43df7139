# says: killed
import os
os.abort()
