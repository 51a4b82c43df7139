"""The exercises: a contract, secret cases, the truth and the checks, one file each."""
