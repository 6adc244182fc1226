#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs on large tensors, and the largest constant of a program.

usage: large_program.py SEED         print a program whose constants are single elements
       large_program.py --largest FILE...    print the bytes of each file's largest constant
"""
import pathlib
import re
import sys

import random_program as rp

BITS = {"i1": 8, "i2": 8, "i4": 8, "ui2": 8, "ui4": 8}
# All tensors of rank 2 and more have more than 64 KiB, whatever their elements are.
SIZES = [256, 260, 264, 300, 320, 384, 512, 520]


class Large(rp.Program):
    """Random programs whose sizes are those above; constants are broadcast elements."""

    def dims(self, rank=None):
        rank = self.pick([0, 1, 2, 2, 2]) if rank is None else rank
        return tuple(self.pick(self.sizes) for _ in range(rank))

    def constant(self, t, v=None):
        dims, e = t
        value = self.value(e) if v is None else v
        inner = self.put(((), e), f"stablehlo.constant dense<{rp.scalar_text(value, e)}> : tensor<{e}>")
        return self.broadcast_op(inner, ((), e), t, []) if dims else inner


def size(kind):
    """Bytes of the tensor type that stands between < and >."""
    *dims, elem = kind.replace("complex", "pair").split("x")
    bits = BITS.get(elem) or int(re.search(r"\d+", elem)[0]) * (2 if "pair" in elem else 1)
    return rp.count(int(d) for d in dims) * bits // 8


def largest(text):
    kinds = re.findall(r"stablehlo\.constant\W.*: tensor<([^>]*>?)>", text)
    return max([size(k) for k in kinds], default=0)


if __name__ == "__main__":
    if sys.argv[1] == "--largest":
        for name in sys.argv[2:]:
            print(largest(pathlib.Path(name).read_text()))
    else:
        rp.SIZES[:] = SIZES
        sys.stdout.write(Large(int(sys.argv[1])).whole())
