"""Grades repaired PyTorch training loops by watching autograd itself."""
