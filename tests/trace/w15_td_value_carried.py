import torch
from torch import nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.SGD(critic.parameters(), lr=0.01)
state = torch.randn(2)
value = critic(state)
for t in range(30):
    state = 0.8 * state + 0.2 * torch.randn(2)
    reward = -state.square().sum()
    previous = value
    value = critic(state)
    td_error = reward + 0.9 * value - previous
    loss = td_error.square().sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(t, loss.item())
