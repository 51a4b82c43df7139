# The answer published on the web to the question behind the assignment "lqr", put into the shape
# that the assignment asks for. It is WRONG, and kept here for what the grader says about it. As
# published it does not run ("One of the differentiated Tensors does not require grad"); here that
# much is mended. What remains: create_graph=True keeps the graphs of all past steps alive through
# the sensitivities, and the update of c uses the sensitivity of w. The published answer used C = 100,
# with which it diverges; the default here is 0.2. Do not learn from it.
import torch


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.2, batch_size=1):
        self.C = learning_rate_param_C
        h = hidden_units
        self.layer1 = torch.nn.Linear(1, h)
        self.layer2 = torch.nn.Linear(h, 1, bias=False)
        self.model = torch.nn.Sequential(self.layer1, torch.nn.ReLU(), self.layer2)
        self.w, self.b, self.c = self.layer1.weight, self.layer1.bias, self.layer2.weight
        self.Xtilde_w = torch.zeros(h, 1)
        self.Xtilde_b = torch.zeros(h)
        self.Xtilde_c = torch.zeros(1, h)
        self.X = torch.ones(1)
        self.time = 0.0
        self.refresh()

    def forward(self, x):
        return self.model(x)

    def refresh(self):
        x = self.X.detach().requires_grad_(True)
        f = self.forward(x)
        gx, gw, gb, gc = torch.autograd.grad(f, [x, self.w, self.b, self.c], create_graph=True)
        self.f_x = f.detach()
        self.grad_x, self.grad_w, self.grad_b, self.grad_c = gx, gw, gb, gc

    def rate(self):
        return self.C / (1 + self.time / 50)

    def cost_grad(self, tilde, grad):
        return 2 * self.X * tilde + 2 * self.f_x * (grad + self.grad_x * tilde)

    def tilde_drift(self, tilde, grad):
        return -tilde + grad + self.grad_x * tilde

    def step(self, delta):
        self.time += delta
        a = self.rate() * delta
        if True:
            dw = a * self.cost_grad(self.Xtilde_w, self.grad_w)
            db = a * self.cost_grad(self.Xtilde_b, self.grad_b)
            dc = a * self.cost_grad(self.Xtilde_w.t(), self.grad_c)
            self.Xtilde_w = self.Xtilde_w + delta * self.tilde_drift(self.Xtilde_w, self.grad_w)
            self.Xtilde_b = self.Xtilde_b + delta * self.tilde_drift(self.Xtilde_b, self.grad_b)
            self.Xtilde_c = self.Xtilde_c + delta * self.tilde_drift(self.Xtilde_c, self.grad_c)
            noise = torch.normal(0.0, 1.0, size=(1,)) * delta ** 0.5
            self.X = (self.X + (-self.X + self.f_x) * delta + noise).detach()
            with torch.no_grad():
                self.w.sub_(dw)
                self.b.sub_(db)
                self.c.sub_(dc)
        self.refresh()
        return self.w, self.c, self.b
