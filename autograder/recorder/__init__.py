"""The flight recorder: the only room that knows autograd's internals."""

from autograder.recorder.recorder import Recorder

__all__ = ["Recorder"]
