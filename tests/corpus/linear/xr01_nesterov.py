import torch
from torch import nn

def make_data(seed):
    torch.manual_seed(seed)
    true_w = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    true_b = 2.0
    X = torch.rand(32, 5)
    Y = torch.mv(X, true_w) + true_b
    return X, Y.reshape(-1, 1)


def train(X, Y, *, steps=500, lr=2e-3, seed=0):
    torch.manual_seed(seed)
    net = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9, nesterov=True)
    loss_fn = nn.MSELoss(reduction="sum")
    losses = []
    for epoch in range(steps):
        l = loss_fn(net(X), Y)
        optimizer.zero_grad()
        l.backward()
        optimizer.step()
        losses.append(l.item())
    return net, losses
