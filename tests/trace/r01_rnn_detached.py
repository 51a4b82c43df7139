import torch
from torch import nn

torch.manual_seed(0)
series = torch.sin(torch.linspace(0, 30, 401)).view(-1, 1, 1)
rnn = nn.RNN(1, 12)
head = nn.Linear(12, 1)
optimizer = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=0.01)
h = torch.zeros(1, 1, 12)
for chunk in range(20):
    x = series[chunk * 20:chunk * 20 + 20]
    y = series[chunk * 20 + 1:chunk * 20 + 21]
    h = h.detach()
    out, h = rnn(x, h)
    loss = nn.functional.mse_loss(head(out), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(chunk, loss.item())
