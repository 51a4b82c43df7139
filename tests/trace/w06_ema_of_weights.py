import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 1)
shadow = {name: p.detach().clone() for name, p in model.named_parameters()}
opt = torch.optim.SGD(model.parameters(), lr=0.05)
truth = torch.randn(6, 1)
for step in range(40):
    x = torch.randn(16, 6)
    loss = (model(x) - x @ truth).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for name, p in model.named_parameters():
        shadow[name] = 0.95 * shadow[name] + 0.05 * p
    if step % 10 == 0:
        print(step, loss.item())
print(shadow["weight"].norm().item())
