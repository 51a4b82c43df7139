"""A copy of the model is trained inside each outer step, the outer update is no gradient."""
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
import copy
m = nn.Linear(1, 1)
for outer in range(12):
    inner = copy.deepcopy(m)
    o = torch.optim.SGD(inner.parameters(), lr=0.05)
    a = torch.randn(1)
    for k in range(5):
        x = torch.randn(10, 1)
        loss = F.mse_loss(inner(x), a * x)
        o.zero_grad()
        loss.backward()
        o.step()
    with torch.no_grad():
        for p, q in zip(m.parameters(), inner.parameters()):
            p += 0.3 * (q - p)
