import torch
from torch import nn

torch.manual_seed(1)
cell = nn.GRUCell(2, 8)
readout = nn.Linear(8, 1)
params = list(cell.parameters()) + list(readout.parameters())
opt = torch.optim.SGD(params, lr=0.05)
inputs = torch.randn(60, 4, 2)
targets = inputs.cumsum(0)[..., :1].tanh()
state = torch.zeros(4, 8)
total = 0
for t in range(60):
    state = cell(inputs[t], state)
    total = total + ((readout(state) - targets[t]) ** 2).mean()
    if (t + 1) % 5 == 0:
        opt.zero_grad()
        total.backward()
        opt.step()
        print(t, float(total))
        state = state.detach()
        total = 0
