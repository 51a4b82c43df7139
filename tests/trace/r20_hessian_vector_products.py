import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
params = list(net.parameters())
x, y = torch.randn(30, 3), torch.randn(30, 1)
opt = torch.optim.SGD(params, lr=0.05)


def sharpness(iterations=8):
    loss = ((net(x) - y) ** 2).mean()
    grads = torch.autograd.grad(loss, params, create_graph=True)
    flat = torch.cat([g.reshape(-1) for g in grads])
    v = torch.randn_like(flat)
    for _ in range(iterations):
        v = v / v.norm()
        hv = torch.autograd.grad(flat @ v, params, retain_graph=True)
        v = torch.cat([h.reshape(-1) for h in hv]).detach()
    return v.norm().item()


for epoch in range(6):
    loss = ((net(x) - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(epoch, loss.item(), sharpness())
