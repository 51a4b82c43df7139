import torch
from torch import nn

torch.manual_seed(0)
cell = nn.GRUCell(1, 10)
head = nn.Linear(10, 1)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.02)
signal = torch.cos(torch.arange(80) * 0.2).view(-1, 1, 1)
state = torch.zeros(1, 10)
for t in range(79):
    state = cell(signal[t], state)
    loss = (head(state) - signal[t + 1]).square().sum()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    if t % 10 == 0:
        print(t, loss.item())
