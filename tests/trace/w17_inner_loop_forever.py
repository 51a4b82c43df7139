import torch

torch.manual_seed(0)
fast = torch.zeros(3, requires_grad=True)
target = torch.tensor([1.0, -2.0, 0.5])
for episode in range(40):
    x = torch.randn(20, 3)
    loss = ((x @ fast - x @ target) ** 2).mean()
    (g,) = torch.autograd.grad(loss, fast, create_graph=True)
    fast = fast - 0.05 * g
    if episode % 10 == 0:
        print(episode, loss.item())
print(fast.tolist())
