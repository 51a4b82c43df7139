import torch
from torch import nn

def make_data(seed):
    torch.manual_seed(seed)
    true_w = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    true_b = 2.0
    X = torch.rand(32, 5)
    Y = torch.mv(X, true_w) + true_b
    return X, Y.reshape(-1, 1)


class Trainer:
    def __init__(self, lr):
        self.layer = nn.Linear(5, 1)
        self.opt = torch.optim.SGD(self.layer.parameters(), lr=lr)
        self.log = {}

    def step(self, t, X, Y):
        prediction = self.layer(X)
        loss = nn.functional.mse_loss(prediction, Y, reduction="sum")
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.log[t] = {"prediction": prediction, "loss": loss.item()}
        return loss.item()


def train(X, Y, *, steps=600, lr=0.01, seed=0):
    torch.manual_seed(seed)
    trainer = Trainer(lr)
    losses = [trainer.step(t, X, Y) for t in range(steps)]
    return trainer.layer, losses
