import torch
from torch import nn


class LitRegressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.SiLU(), nn.Linear(16, 1))
        self.logged = []

    def training_step(self, batch):
        x, y = batch
        loss = ((self.net(x) - y) ** 2).mean()
        self.logged.append(loss.detach())
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


class Trainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, module, batches):
        optimizer = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            for batch in batches:
                optimizer.zero_grad()
                module.training_step(batch).backward()
                optimizer.step()
            print(epoch, torch.stack(module.logged[-len(batches):]).mean().item())


torch.manual_seed(0)
xs = torch.rand(40, 3)
batches = [(x, x.prod(1, keepdim=True)) for x in xs.split(10)]
Trainer(5).fit(LitRegressor(), batches)
