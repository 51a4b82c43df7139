import torch
from torch import nn

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU())
head = nn.Linear(16, 3)
images, labels = torch.randn(50, 8), torch.randint(0, 3, (50,))
opt = torch.optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.1)
features = backbone(images)
for epoch in range(10):
    logits = head(features)
    loss = nn.functional.cross_entropy(logits, labels)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    print(epoch, loss.item())
