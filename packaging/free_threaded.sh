#!/usr/bin/env bash
# Builds the package for a free-threaded CPython, and runs the thread tests and the vectors there, the lock off.
#
#     packaging/free_threaded.sh PYTHON      3.14t or later: PyO3 takes no earlier one
set -euo pipefail
cd "$(dirname "$0")/.."
"$1" -c 'import sysconfig as s; exit(None if s.get_config_var("Py_GIL_DISABLED") else "not a free-threaded build")'
home=target/free-threaded
"$1" -m venv --clear "$home"
"$home/bin/python" -m pip install --quiet '.[test]'
# A module that asks for the lock turns it on again, with a warning that -W makes an error.
"$home/bin/python" -W error -c '
import sys
import gradestone
assert gradestone.grade({"type": "bleu_score", "reference": "a"}, "a").passed
import jiter, jsonschema_rs, numpy, regex
assert not sys._is_gil_enabled()'
"$home/bin/python" -m pytest -q -p no:cacheprovider tests/threads
"$home/bin/gradestone" verify
