import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(120, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
loader = DataLoader(TensorDataset(x, y), batch_size=20, shuffle=True)
model = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Dropout(0.1), nn.Linear(24, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.8)
for epoch in range(6):
    running, correct = 0.0, 0
    for xb, yb in loader:
        optimizer.zero_grad()
        logits = model(xb)
        loss = nn.functional.cross_entropy(logits, yb)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(xb)
        correct += (logits.argmax(1) == yb).sum().item()
    print(epoch, running / len(x), correct / len(x))
