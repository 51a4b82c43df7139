# says: *
import autograder.probe.session as session
def answer(self, question):
    loss = torch.zeros(())
    return session.Failure(kind="x", message="y")
session.Session.answer = answer
