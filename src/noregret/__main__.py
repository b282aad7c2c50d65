"""`python -m noregret`: the same as the command, where that is not on the path."""

from noregret.cli import main

if __name__ == "__main__":
    main()
