"""Conjugate gradients; curvature from Hessian-vector products (double backward)."""
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


def make_data(seed):
    torch.manual_seed(seed)
    X = torch.randn(32, 5)
    w = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    Y = X.mm(w).add(2.0)
    return X, Y


def train(X, Y, *, steps=60, lr=1.0, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(5, 1).double()            # first weights as in float32
    X, Y = X.detach().double(), Y.detach().double()
    params = list(layer.parameters())
    direction, old_rr = None, None
    losses = []
    for k in range(steps):
        loss = torch.sum((layer(X) - Y) ** 2)
        losses.append(float(loss.detach()))
        # create_graph: this step's gradient is itself differentiated below, once
        grads = torch.autograd.grad(loss, params, create_graph=True)
        flat = parameters_to_vector(grads)
        r = -flat.detach()
        rr = r.dot(r)
        if rr == 0:
            continue
        if direction is None or k % 6 == 0:      # restart: six unknowns
            direction = r
        else:
            direction = r + (rr / old_rr) * direction
        Hd = parameters_to_vector(
            [h.contiguous() for h in torch.autograd.grad(flat @ direction, params)]
        )
        curvature = direction.dot(Hd)
        old_rr = rr
        if curvature <= 0:
            continue
        alpha = lr * r.dot(direction) / curvature
        with torch.no_grad():
            vector_to_parameters(parameters_to_vector(params) + alpha * direction, params)
    return layer.float(), losses
