# says: same
import sys
sys.exit(0)
