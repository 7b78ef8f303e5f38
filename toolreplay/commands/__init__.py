"""The commands, one module each, loaded when it is asked for. Each module holds its `COMMAND`."""
