"""Raises: actions go into the replay memory attached, the state carries them on."""
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
import copy
actor, critic = (nn.Linear(3, 1), nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)))
ta, tc = (copy.deepcopy(actor), copy.deepcopy(critic))
oa, oc = (torch.optim.Adam(actor.parameters(), 0.001), torch.optim.Adam(critic.parameters(), 0.001))
memory = []
s = torch.randn(3)
for t in range(70):
    a = actor(s) + 0.1 * torch.randn(1)
    s2 = 0.9 * s + 0.1 * a + 0.1 * torch.randn(3)
    r = -s2.pow(2).sum()
    memory.append((s, a, r, s2))
    s = s2
    if len(memory) < 8:
        continue
    S, A, R, S2 = (torch.stack([m[i] for m in memory[-32:]]) for i in range(4))
    with torch.no_grad():
        y = R.unsqueeze(1) + 0.9 * tc(torch.cat([S2, ta(S2)], 1))
    lc = F.mse_loss(critic(torch.cat([S, A], 1)), y)
    oc.zero_grad()
    lc.backward()
    oc.step()
    la = -critic(torch.cat([S, actor(S)], 1)).mean()
    oa.zero_grad()
    la.backward()
    oa.step()
    with torch.no_grad():
        for p, q in zip([*actor.parameters(), *critic.parameters()], [*ta.parameters(), *tc.parameters()]):
            q.lerp_(p, 0.01)
