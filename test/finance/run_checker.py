"""Runs a checker for many folders in one process, because starting Python for each takes longer than a check.

    python3 run_checker.py CHECKER FOLDER...

Prints a JSON list with the exit code and the output of the checker for each folder.
"""

import contextlib
import importlib.util
import io
import json
import sys


def run(main, folder):
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        status = main(folder)
    return {"status": status, "stdout": stdout.getvalue(), "stderr": stderr.getvalue()}


if __name__ == "__main__":
    path, *folders = sys.argv[1:]
    spec = importlib.util.spec_from_file_location("checker", path)
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)
    print(json.dumps([run(checker.main, folder) for folder in folders]))
