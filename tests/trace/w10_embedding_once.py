import torch
from torch import nn

torch.manual_seed(0)
table = nn.Embedding(12, 6)
classifier = nn.Linear(6, 2)
tokens = torch.randint(0, 12, (40, 5))
labels = (tokens.sum(1) % 2).long()
opt = torch.optim.Adam([*table.parameters(), *classifier.parameters()], lr=0.02)
sentence = table(tokens).mean(1)
for epoch in range(10):
    loss = nn.functional.cross_entropy(classifier(sentence), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(epoch, loss.item())
