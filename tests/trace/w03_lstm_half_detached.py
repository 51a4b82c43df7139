import torch
from torch import nn

torch.manual_seed(0)
lstm = nn.LSTM(2, 8, batch_first=True)
decode = nn.Linear(8, 2)
params = [*lstm.parameters(), *decode.parameters()]
opt = torch.optim.Adam(params, lr=0.01)
h = torch.zeros(1, 4, 8)
c = torch.zeros(1, 4, 8)
for batch in range(10):
    x = torch.randn(4, 6, 2)
    y = x.cumsum(1)
    out, (h, c) = lstm(x, (h.detach(), c))
    loss = nn.functional.mse_loss(decode(out), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(batch, loss.item())
