# says: killed
import json, os, struct
frame = json.dumps({"names": ["train", "make_data"], "torch": "2"}).encode()
os.write(4, struct.pack(">I", len(frame)) + frame)
