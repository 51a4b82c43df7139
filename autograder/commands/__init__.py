"""One file a command: read the options, call the engine, render. No logic of their own."""
