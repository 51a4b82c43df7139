import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
smooth = torch.zeros(())
for step in range(20):
    x = torch.randn(16, 3)
    y = x.prod(1, keepdim=True)
    loss = nn.functional.mse_loss(net(x), y)
    smooth = 0.9 * smooth + 0.1 * loss
    opt.zero_grad()
    smooth.backward()
    opt.step()
    print(step, smooth.item())
