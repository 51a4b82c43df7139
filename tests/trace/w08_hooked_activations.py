import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 1))
features = []


def keep(module, args, output):
    features.append(output)


model[0].register_forward_hook(keep)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(64, 5)
y = x.abs().sum(1, keepdim=True)
for step in range(25):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
print(len(features), features[-1].mean().item())
