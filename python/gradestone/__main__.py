"""``python -m gradestone`` is the command ``gradestone``."""

from __future__ import annotations

from gradestone.cli import main

if __name__ == "__main__":
    main()
