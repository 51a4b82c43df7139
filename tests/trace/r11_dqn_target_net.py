import copy
import random
from collections import deque
import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
q = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=5e-3)
buffer = deque(maxlen=200)
state = torch.zeros(2)
for t in range(60):
    with torch.no_grad():
        action = random.randrange(2) if random.random() < 0.3 else q(state).argmax().item()
    following = 0.9 * state + torch.tensor([0.1, -0.1]) * (2 * action - 1)
    buffer.append((state, action, -following.norm(), following))
    state = following
    if len(buffer) < 8:
        continue
    s, a, r, s2 = zip(*random.sample(list(buffer), 8))
    with torch.no_grad():
        goal = torch.stack(r) + 0.9 * target(torch.stack(s2)).max(1).values
    value = q(torch.stack(s)).gather(1, torch.tensor(a)[:, None])[:, 0]
    loss = nn.functional.smooth_l1_loss(value, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if t % 20 == 0:
        target.load_state_dict(q.state_dict())
        print(t, loss.item())
