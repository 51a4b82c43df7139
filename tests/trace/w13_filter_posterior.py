import torch

torch.manual_seed(0)
log_q = torch.zeros((), requires_grad=True)
log_r = torch.zeros((), requires_grad=True)
truth = torch.cumsum(0.3 * torch.randn(40), 0)
seen = truth + 0.8 * torch.randn(40)
mean, var = torch.zeros(()), torch.ones(())
for z in seen:
    var = var + log_q.exp()
    s = var + log_r.exp()
    nll = 0.5 * (s.log() + (z - mean) ** 2 / s)
    gain = var / s
    mean, var = mean + gain * (z - mean), (1 - gain) * var
    nll.backward(retain_graph=True)
    for p in (log_q, log_r):
        p.data -= 0.02 * p.grad
        p.grad = None
    print(nll.item(), log_q.exp().item())
