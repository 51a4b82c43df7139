import torch
from torch import nn

torch.manual_seed(0)
norm = nn.BatchNorm1d(3)
lstm = nn.LSTM(3, 6, batch_first=True)
head = nn.Linear(6, 1)
opt = torch.optim.Adam([*norm.parameters(), *lstm.parameters(), *head.parameters()], lr=0.01)
state = None
for i in range(15):
    x = torch.randn(4, 7, 3) * 2 + 1
    y = x.mean(-1, keepdim=True)
    z = norm(x.reshape(-1, 3)).reshape(4, 7, 3)
    out, (h, c) = lstm(z, state)
    state = (h.detach(), c.detach())
    loss = (head(out) - y).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(i, loss.item(), norm.running_mean.tolist())
