import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(100, 4), torch.randint(0, 3, (100,))
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
outputs = []
for epoch in range(15):
    model.train()
    loss = nn.functional.cross_entropy(model(x[:80]), y[:80])
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    logits = model(x[80:])
    outputs.append(logits)
    print(epoch, (logits.argmax(1) == y[80:]).float().mean().item())
spread = torch.stack(outputs).std(0).mean()
print(spread.item())
