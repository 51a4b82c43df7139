import torch

torch.manual_seed(0)
gain = torch.tensor([0.5, 0.1], requires_grad=True)
angle, speed = torch.tensor(0.6), torch.tensor(0.0)
dt, rate = 0.05, 0.02
for t in range(40):
    torque = -(gain[0] * angle + gain[1] * speed)
    angle, speed = angle + dt * speed, speed + dt * (angle.sin() + torque)
    cost = angle ** 2 + 0.1 * torque ** 2
    cost.backward(retain_graph=True)
    gain.data -= rate * gain.grad
    gain.grad.zero_()
    if t % 10 == 0:
        print(t, cost.item(), gain.tolist())
