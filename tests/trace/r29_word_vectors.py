"""Gradient accumulation with variable length batches, token-weighted, leftover window flushed."""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

torch.manual_seed(5)
ACCUM = 4


class Tagger(nn.Module):
    def __init__(self, v=20, d=24, k=3):
        super().__init__()
        self.emb = nn.Embedding(v, d, padding_idx=0)
        self.rnn = nn.GRU(d, d, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * d, k)

    def forward(self, ids, lens):
        p = pack_padded_sequence(self.emb(ids), lens, batch_first=True, enforce_sorted=False)
        h, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(p)[0], batch_first=True)
        return self.head(h)


def sample():
    n = int(torch.randint(4, 15, ()))
    s = torch.randint(1, 20, (n,))
    return s, torch.roll(s, 1) % 3


data = [sample() for _ in range(180)]
loaders = [data[i:i + 8] for i in range(0, 180, 8)]          # 23 micro-batches
model = Tagger()
opt = torch.optim.AdamW(model.parameters(), lr=8e-3)


def apply_update(ntok):
    for p in model.parameters():
        p.grad.div_(ntok)
    gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    for p in model.parameters():
        p.grad = None
    return gn.item()


for epoch in range(5):
    tok_in_window, epoch_loss, epoch_tok = 0, 0.0, 0
    for i, mb in enumerate(loaders):
        ids = pad_sequence([a for a, _ in mb], batch_first=True)
        tgt = pad_sequence([b for _, b in mb], batch_first=True, padding_value=-100)
        lens = torch.tensor([len(a) for a, _ in mb])
        out = model(ids, lens)
        loss = nn.functional.cross_entropy(out.flatten(0, 1), tgt.flatten(), ignore_index=-100, reduction="sum")
        loss.backward()
        tok_in_window += int(lens.sum())
        epoch_loss += loss.item()
        epoch_tok += int(lens.sum())
        if (i + 1) % ACCUM == 0:
            apply_update(tok_in_window)
            tok_in_window = 0
    if tok_in_window:
        apply_update(tok_in_window)
    print(epoch, epoch_loss / epoch_tok)
