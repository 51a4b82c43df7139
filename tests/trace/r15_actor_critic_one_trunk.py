import torch
from torch import nn

torch.manual_seed(0)
trunk = nn.Sequential(nn.Linear(4, 32), nn.ReLU())
actor, critic = nn.Linear(32, 2), nn.Linear(32, 1)
params = [*trunk.parameters(), *actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(params, lr=3e-3)
for episode in range(20):
    states = torch.randn(16, 4)
    features = trunk(states)
    policy = torch.distributions.Categorical(logits=actor(features))
    actions = policy.sample()
    rewards = (actions == (states[:, 0] > 0).long()).float()
    values = critic(features).squeeze(1)
    advantage = (rewards - values).detach()
    actor_loss = -(policy.log_prob(actions) * advantage).mean()
    critic_loss = (rewards - values).pow(2).mean()
    optimizer.zero_grad()
    actor_loss.backward(retain_graph=True)
    critic_loss.backward()
    optimizer.step()
    print(episode, rewards.mean().item())
