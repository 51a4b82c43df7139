import copy
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 4)).eval()
student = nn.Linear(6, 4)
average = copy.deepcopy(student)
opt = torch.optim.Adam(student.parameters(), lr=0.02)
for step in range(30):
    x = torch.randn(32, 6)
    with torch.no_grad():
        soft = F.softmax(teacher(x) / 2, dim=1)
    loss = F.kl_div(F.log_softmax(student(x) / 2, dim=1), soft, reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for a, s in zip(average.parameters(), student.parameters()):
            a.mul_(0.9).add_(s, alpha=0.1)
    if step % 10 == 0:
        print(step, loss.item())
