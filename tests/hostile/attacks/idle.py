# says: same
