"""``python -m toolreplay``."""

if __name__ == "__main__":
    try:
        from .cli import main  # here, since Ctrl-C may come while modules are still being loaded

        raise SystemExit(main())  # and here too, since it may come while what a command held is let go
    except KeyboardInterrupt:
        raise SystemExit(130) from None
