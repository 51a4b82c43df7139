# says: non-finite but fresh-gradients
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    layer = nn.Linear(5, 1)
    for parameter in layer.parameters():
        parameter.data.fill_(float("nan"))
    return layer, [float("nan")] * steps
