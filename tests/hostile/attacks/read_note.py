# says: same
import os, tempfile
for folder in (".", tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", ".."):
    if os.path.exists(os.path.join(folder, "note-for-a-friend")):
        escaped_note = True
