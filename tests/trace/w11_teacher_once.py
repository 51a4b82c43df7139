import torch
from torch import nn

torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
student = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(student.parameters(), lr=0.01)
x = torch.randn(60, 4)
answers = teacher(x)
for epoch in range(20):
    loss = nn.functional.mse_loss(student(x), answers)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    if epoch % 5 == 0:
        print(epoch, loss.item())
