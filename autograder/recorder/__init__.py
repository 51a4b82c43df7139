"""The flight recorder: the only room that knows autograd's internals."""

from autograder.recorder.calls import Calls, spot_of
from autograder.recorder.graph import node_of
from autograder.recorder.recorder import Recorder

__all__ = ["Calls", "Recorder", "node_of", "spot_of"]
