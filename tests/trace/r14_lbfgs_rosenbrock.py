import torch

p = torch.tensor([-1.2, 1.0], requires_grad=True)
opt = torch.optim.LBFGS([p], lr=1, max_iter=8, line_search_fn="strong_wolfe")


def rosenbrock(v):
    return (1 - v[0]) ** 2 + 100 * (v[1] - v[0] ** 2) ** 2


def closure():
    opt.zero_grad()
    value = rosenbrock(p)
    value.backward()
    return value


for i in range(10):
    value = opt.step(closure)
    print(i, value.item(), p.tolist())
