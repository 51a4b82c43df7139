import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
weight = nn.Parameter(torch.randn(3, 10) * 0.2)
b_enc = nn.Parameter(torch.zeros(3))
b_dec = nn.Parameter(torch.zeros(10))
data = torch.randn(50, 3) @ torch.randn(3, 10)
opt = torch.optim.Adam([weight, b_enc, b_dec], lr=0.03)
history = []
for it in range(40):
    code = F.linear(data, weight, b_enc)
    back = F.linear(code, weight.t(), b_dec)
    loss = F.mse_loss(back, data)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(loss.item())
print(history[0], history[-1])
