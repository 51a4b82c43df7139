import torch

torch.manual_seed(0)
w = torch.zeros(2, requires_grad=True)
meta = torch.optim.Adam([w], lr=0.05)


def predict(params, x):
    return params[0] * x + params[1]


for episode in range(25):
    meta_loss = 0
    for task in range(3):
        slope = 2 + torch.randn(())
        x = torch.randn(10)
        support = ((predict(w, x) - slope * x) ** 2).mean()
        (g,) = torch.autograd.grad(support, w, create_graph=True)
        fast = w - 0.1 * g
        x = torch.randn(10)
        meta_loss = meta_loss + ((predict(fast, x) - slope * x) ** 2).mean()
    meta.zero_grad()
    meta_loss.backward()
    meta.step()
    if episode % 5 == 0:
        print(episode, meta_loss.item())
