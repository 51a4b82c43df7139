import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(100, 4), torch.randint(0, 3, (100,))
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best, kept = 0.0, []
for epoch in range(12):
    model.train()
    for xb, yb in zip(x[:80].split(20), y[:80].split(20)):
        loss = nn.functional.cross_entropy(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        logits = model(x[80:])
        kept.append(logits)
        accuracy = (logits.argmax(1) == y[80:]).float().mean()
    best = max(best, accuracy.item())
print(best, torch.stack(kept).std(0).mean().item())
