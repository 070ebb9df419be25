"""So that `python -m nescio` is the `nescio` command."""

from nescio.surfaces.cli.main import run

if __name__ == "__main__":
    run()
