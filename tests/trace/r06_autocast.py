import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(64, 8)
y = x[:, :3].argmax(1)
for epoch in range(15):
    opt.zero_grad(set_to_none=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = net(x)
        loss = nn.functional.cross_entropy(logits.float(), y)
    loss.backward()
    opt.step()
    print(epoch, round(loss.item(), 4))
