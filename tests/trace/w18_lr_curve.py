import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 1))
x = torch.randn(50, 2)
y = (x ** 2).sum(1, keepdim=True)
opt = torch.optim.SGD(model.parameters(), lr=1e-4)
curve = []
while opt.param_groups[0]["lr"] < 0.5:
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append((opt.param_groups[0]["lr"], loss))
    opt.param_groups[0]["lr"] *= 1.25
best = min(curve, key=lambda pair: pair[1].item())
print(best[0], best[1].item())
