"""`python -m grpolint`: the same as the command `grpolint`."""

import sys

from grpolint.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
