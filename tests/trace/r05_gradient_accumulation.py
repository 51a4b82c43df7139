import torch
from torch import nn

torch.manual_seed(2)
model = nn.Linear(10, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
truth = torch.randn(10, 1)
accumulate = 4
for i in range(40):
    xb = torch.randn(8, 10)
    loss = nn.functional.mse_loss(model(xb), xb @ truth) / accumulate
    loss.backward()
    if (i + 1) % accumulate == 0:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        print(i, loss.item() * accumulate)
