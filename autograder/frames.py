"""Length-capped frames of bytes over a pipe: 4 bytes big-endian length, then the payload."""

from __future__ import annotations

import os
import struct

CAP = 64 * 1024 * 1024
HEADER = struct.Struct(">I")


class BadFrame(Exception):
    """The other side sent something that is no frame, or one that is too long."""


def write(descriptor: int, payload: bytes) -> None:
    """Write one frame. Raises BrokenPipeError when nobody reads."""
    data = memoryview(HEADER.pack(len(payload)) + payload)
    while data:
        data = data[os.write(descriptor, data):]


def read(descriptor: int, cap: int = CAP) -> bytes | None:
    """The next frame, or None at the end of the stream."""
    header = _exactly(descriptor, HEADER.size)
    if header is None:
        return None
    (length,) = HEADER.unpack(header)
    if length > cap:
        raise BadFrame(f"a frame of {length} bytes; {cap} is the cap")
    payload = _exactly(descriptor, length)
    if payload is None:
        raise BadFrame("the stream ended inside a frame")
    return payload


def _exactly(descriptor: int, length: int) -> bytes | None:
    parts, left = [], length
    while left:
        part = os.read(descriptor, min(left, 1 << 20))
        if not part:
            if left == length and length == HEADER.size:
                return None
            raise BadFrame("the stream ended inside a frame")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
