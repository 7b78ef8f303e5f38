"""Results made into text, one module a format. Nothing here decides anything."""
