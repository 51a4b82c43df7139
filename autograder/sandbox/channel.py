"""The judge's end of the two pipes to a child: frames out and in, each with a deadline."""

from __future__ import annotations

import os
import select
import time

from autograder import frames

CAP = 8 << 20
"""Bytes of an answer. The longest honest ones have a tenth of it."""


class Closed(Exception):
    """The other side is gone."""


class Late(Exception):
    """The deadline passed."""


class Channel:
    """One frame out, one in, by turns: what comes out of turn, or is no frame, is refused."""

    def __init__(self, inward: int, outward: int) -> None:
        self._in, self._out = inward, outward
        for descriptor in (inward, outward):
            os.set_blocking(descriptor, False)

    def exchange(self, frame: bytes, seconds: float) -> bytes:
        """Send a frame and wait for one.

        Raises:
            Closed: when the other side is gone.
            Late: when it takes longer.
            frames.BadFrame: for bytes nobody asked for, and frames that are too long.
        """
        until = time.monotonic() + seconds
        if self._ready(self._in, select.POLLIN, 0) and self._some(1):
            raise frames.BadFrame("an answer before the question")
        self._send(frames.HEADER.pack(len(frame)) + frame, until)
        (length,) = frames.HEADER.unpack(self._receive(frames.HEADER.size, until))
        if length > CAP:
            raise frames.BadFrame(f"a frame of {length} bytes; {CAP} is the cap")
        return self._receive(length, until)

    def close(self) -> None:
        """Let go of both pipes."""
        os.close(self._in)
        os.close(self._out)

    def _send(self, data: bytes, until: float) -> None:
        left = memoryview(data)
        while left:
            self._wait(self._out, select.POLLOUT, until)
            try:
                left = left[os.write(self._out, left):]
            except BlockingIOError:
                continue
            except OSError as error:
                raise Closed from error

    def _receive(self, length: int, until: float) -> bytes:
        parts, left = [], length
        while left:
            self._wait(self._in, select.POLLIN, until)
            part = self._some(left)
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    def _some(self, most: int) -> bytes:
        try:
            part = os.read(self._in, min(most, 1 << 20))
        except OSError as error:
            raise Closed from error
        if not part:
            raise Closed
        return part

    def _wait(self, descriptor: int, event: int, until: float) -> None:
        if not self._ready(descriptor, event, until - time.monotonic()):
            raise Late

    @staticmethod
    def _ready(descriptor: int, event: int, seconds: float) -> bool:
        poll = select.poll()
        poll.register(descriptor, event)
        return bool(poll.poll(max(seconds, 0) * 1000))
