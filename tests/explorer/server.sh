#!/bin/sh
# The explorer's server, as a browser and as an attacker would use it (server.py).
#   SLOW=1: also what takes tens of seconds: 50 clients that prove, 10,000 connections, requests
#   that never end.
set -eu
rankwright=${rankwright:?the program}
cd "$(dirname "$0")/../.."
exec python3 tests/explorer/server.py "$rankwright" "${proved_library:-}" ${SLOW:+--slow}
