#!/bin/sh
# Installs the package with pip into an environment of its own and runs its tests.
#   python/check.sh PYTHON FOLDER PACKAGES [pytest argument...]
# PACKAGES: what the tests should find besides, such as jax[cpu].
set -eu
python=$1 folder=$2 packages=$3
shift 3
cd "$(dirname "$0")/.."
"$python" -c 'import sys, venv; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || {
    echo "check-python: $python is no Python 3.9 or later with venv; PYTHON=... names one" >&2
    exit 1
}
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
environment=$folder/$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment"
# JAX of Python 3.9 and 3.10 does not say that jax.export needs absl.
# shellcheck disable=SC2086 # several packages
"$environment/bin/python" -m pip install --quiet cffi numpy pytest absl-py $packages
"$environment/bin/python" -m pip install --quiet --no-deps --force-reinstall .
cd python/tests
exec "$environment/bin/python" -m pytest -q -p no:cacheprovider "$@"
