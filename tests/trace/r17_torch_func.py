import torch
from torch import nn
from torch.func import functional_call, grad_and_value, vmap

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 12), nn.Tanh(), nn.Linear(12, 1))
params = {k: v.detach() for k, v in net.named_parameters()}
x = torch.randn(40, 2)
y = x[:, :1] * x[:, 1:]


def loss_fn(p, xi, yi):
    return (functional_call(net, p, (xi,)) - yi).square().sum()


per_sample = vmap(grad_and_value(loss_fn), in_dims=(None, 0, 0))
for epoch in range(30):
    grads, values = per_sample(params, x, y)
    params = {k: params[k] - 0.05 * grads[k].mean(0) for k in params}
    if epoch % 10 == 0:
        print(epoch, values.mean().item())
