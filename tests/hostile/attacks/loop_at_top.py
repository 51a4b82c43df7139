# says: timeout
while True:
    pass
