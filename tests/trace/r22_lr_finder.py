import copy
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 1))
x = torch.randn(50, 2)
y = (x ** 2).sum(1, keepdim=True)
before = copy.deepcopy(model.state_dict())
opt = torch.optim.SGD(model.parameters(), lr=1e-4)
curve = []
while opt.param_groups[0]["lr"] < 1:
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append((opt.param_groups[0]["lr"], loss.item()))
    opt.param_groups[0]["lr"] *= 1.3
model.load_state_dict(before)
best = min(curve, key=lambda pair: pair[1])[0] / 10
opt = torch.optim.SGD(model.parameters(), lr=best)
for epoch in range(20):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
print(best, loss.item())
