import torch


class OneD_NN_LQR:
    def __init__(self, hidden_units, learning_rate_param_C=0.1, batch_size=1):
        self.learning_rate_param_C = learning_rate_param_C
        self.model = torch.nn.Sequential(
            torch.nn.Linear(1, hidden_units), torch.nn.ReLU(), torch.nn.Linear(hidden_units, 1, bias=False)
        )
        self.w, self.b, self.c = self.model.parameters()
        self.Xtilde_w = torch.zeros(self.w.shape)
        self.Xtilde_b = torch.zeros(self.b.shape)
        self.Xtilde_c = torch.zeros(self.c.shape)
        self.X = torch.rand(1)
        self.t = 0

    def forward(self, x):
        return self.model(x)

    def step(self, delta):
        self.t += 1
        x = self.X.clone().requires_grad_(True)
        f_x = self.forward(x)
        self.model.zero_grad()
        f_x.backward()
        f, slope = f_x.detach(), x.grad
        alpha = self.learning_rate_param_C / (1 + self.t * delta / 50) * delta

        dX = (-self.X + f) * delta + torch.randn(1) * delta ** 0.5
        self.X = self.X + dX
        self.Xtilde_w = self.Xtilde_w + (-self.Xtilde_w + self.w.grad + slope * self.Xtilde_w) * delta
        self.Xtilde_b = self.Xtilde_b + (-self.Xtilde_b + self.b.grad + slope * self.Xtilde_b) * delta
        self.Xtilde_c = self.Xtilde_c + (-self.Xtilde_c + self.c.grad + slope * self.Xtilde_c) * delta

        dw = 2 * self.X * self.Xtilde_w + 2 * f * (self.w.grad + slope * self.Xtilde_w)
        db = 2 * self.X * self.Xtilde_b + 2 * f * (self.b.grad + slope * self.Xtilde_b)
        dc = 2 * self.X * self.Xtilde_c + 2 * f * (self.c.grad + slope * self.Xtilde_c)
        self.w.data -= alpha * dw
        self.b.data -= alpha * db
        self.c.data -= alpha * dc
        return self.w, self.c, self.b
