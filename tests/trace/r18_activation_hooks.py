import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 1))
activations = []


def remember(module, args, output):
    activations.append(output.detach())


handle = model[1].register_forward_hook(remember)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.randn(64, 5)
y = x.norm(dim=1, keepdim=True)
for step in range(25):
    loss = nn.functional.mse_loss(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
handle.remove()
dead = [(a == 0).float().mean().item() for a in activations]
print(dead[0], dead[-1])
