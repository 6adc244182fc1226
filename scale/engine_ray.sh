#!/bin/sh
# One round of scale/prove.sh on Ray, with the Python of $PYTHON (python3).
#   engine_ray.sh CANDIDATES OUT TASKS BLOCK RANKWRIGHT OWN [OPTION...]
# OWN: the address of a Ray cluster; nothing: one of this machine, TASKS wide.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${PYTHON:=python3}"
"$PYTHON" -c 'import ray' 2>/dev/null || { echo "Ray is not installed (for $PYTHON)" >&2; exit 69; }
exec "$PYTHON" "$here/ray_prove.py" "$@"
