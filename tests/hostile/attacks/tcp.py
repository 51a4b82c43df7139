# says: crash
import socket
def train(X, Y, *, steps=600, lr=0.01, seed=0):
    socket.create_connection(("127.0.0.1", @PORT@))
