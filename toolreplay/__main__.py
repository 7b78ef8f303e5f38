"""``python -m toolreplay``."""

if __name__ == "__main__":
    try:
        from .cli import main  # here, since Ctrl-C may come while modules are still being loaded

        code = main()
    except KeyboardInterrupt:
        code = 130
    raise SystemExit(code)
