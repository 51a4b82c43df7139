import torch
from torch import nn


class LitRegressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.SiLU(), nn.Linear(16, 1))
        self.step_outputs = []

    def training_step(self, batch):
        x, y = batch
        loss = ((self.net(x) - y) ** 2).mean()
        self.step_outputs.append({"loss": loss, "n": len(x)})
        return loss

    def on_epoch_end(self):
        total = sum(o["loss"].item() * o["n"] for o in self.step_outputs)
        return total / sum(o["n"] for o in self.step_outputs)


torch.manual_seed(0)
module = LitRegressor()
optimizer = torch.optim.Adam(module.parameters(), lr=1e-2)
batches = [(x, x.prod(1, keepdim=True)) for x in torch.rand(40, 3).split(10)]
for epoch in range(6):
    for batch in batches:
        optimizer.zero_grad()
        module.training_step(batch).backward()
        optimizer.step()
    print(epoch, module.on_epoch_end())
