import random
import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
value = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(value.parameters(), lr=0.01)
memory = []
state = torch.randn(3)
for t in range(40):
    estimate = value(state)
    reward = -state.norm()
    memory.append((state, reward, estimate))
    states, rewards, old = zip(*random.sample(memory, min(8, len(memory))))
    targets = torch.stack(rewards) + 0.5 * torch.stack(old).squeeze(1).detach()
    loss = (value(torch.stack(states)).squeeze(1) - targets).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    state = 0.9 * state + 0.3 * torch.randn(3)
    if t % 10 == 0:
        print(t, loss.item())
