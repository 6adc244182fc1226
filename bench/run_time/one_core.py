# SPDX-License-Identifier: Apache-2.0
"""Imported before JAX: programs run on the CPU, on one core, and keep their memory."""

import os
import sys

# Memory that was freed is kept: a program of large temporaries does not pay for new pages
# in one run and not in the next.
if "MALLOC_MMAP_MAX_" not in os.environ:
    os.environ.update(MALLOC_MMAP_MAX_="0", MALLOC_TRIM_THRESHOLD_="4000000000")
    os.execv(sys.executable, [sys.executable, *sys.argv])
try:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
except (AttributeError, OSError):  # not on this system
    pass
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " --xla_cpu_multi_thread_eigen=false").strip()
