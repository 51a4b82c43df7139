import torch

torch.manual_seed(0)
log_q = torch.zeros((), requires_grad=True)
log_r = torch.zeros((), requires_grad=True)
truth = torch.cumsum(0.3 * torch.randn(40), 0)
seen = truth + 0.8 * torch.randn(40)
opt = torch.optim.Adam([log_q, log_r], lr=0.1)
for epoch in range(15):
    mean, var = torch.zeros(()), torch.ones(())
    nll = 0.0
    for z in seen:
        var = var + log_q.exp()
        s = var + log_r.exp()
        nll = nll + 0.5 * (s.log() + (z - mean) ** 2 / s)
        gain = var / s
        mean, var = mean + gain * (z - mean), (1 - gain) * var
    opt.zero_grad()
    nll.backward()
    opt.step()
    print(epoch, nll.item())
