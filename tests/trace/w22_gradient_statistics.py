import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))
params = list(net.parameters())
x, y = torch.randn(40, 4), torch.randn(40, 1)
norms = []
for step in range(25):
    loss = (net(x) - y).square().mean()
    grads = torch.autograd.grad(loss, params, create_graph=True)
    norms.append([g.norm() for g in grads])
    with torch.no_grad():
        for p, g in zip(params, grads):
            p -= 0.1 * g
    print(step, loss.item())
print([n.item() for n in norms[-1]])
