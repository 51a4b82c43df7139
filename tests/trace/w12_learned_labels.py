import torch

torch.manual_seed(0)
true_slope = torch.tensor(1.7, requires_grad=True)
true_offset = torch.tensor(-0.4, requires_grad=True)
x = torch.linspace(-1, 1, 50)
y = true_slope * x.sin() + true_offset

a = torch.zeros((), requires_grad=True)
b = torch.zeros((), requires_grad=True)
for step in range(30):
    loss = ((a * x.sin() + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        a -= 0.5 * a.grad
        b -= 0.5 * b.grad
        a.grad = None
        b.grad = None
    print(step, loss.item())
