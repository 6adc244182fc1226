# SPDX-License-Identifier: Apache-2.0
"""Functions on several devices: the same values, on the same devices.  Run as a program, it has four of them."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("jax")
pytest.importorskip("jax.export")

NAMES = ["plain", "sharded", "two", "mixed", "constraint", "shardings", "shard_map", "closure", "other device"]


def test_devices():
    flags = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=4"
    done = subprocess.run([sys.executable, __file__], env={**os.environ, "XLA_FLAGS": flags}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=600)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and [line.partition(":")[0] for line in lines if "explicit" not in line] == NAMES, done.stderr
    assert all(line.endswith("same") for line in lines), done.stdout
    assert "error:" not in done.stderr, done.stderr  # JAX 0.4.30 prints it about text that it cannot read


def main():
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
    try:
        from jax import shard_map
    except ImportError:
        from jax.experimental.shard_map import shard_map
    import rankwright

    def flipped(x):
        return jnp.flip(jnp.flip(x, 1), 1)

    def say(name, function, arguments, **options):
        slow, fast = (f(function, **options)(*arguments) for f in (jax.jit, rankwright.jit))
        same = np.array_equal(slow, fast) and slow.sharding.is_equivalent_to(fast.sharding, slow.ndim)
        print("%s: %s" % (name, "same" if same else "%s and %s" % (slow.sharding, fast.sharding)), flush=True)

    mesh, x = Mesh(np.array(jax.devices()).reshape(2, 2), ("a", "b")), jnp.arange(64.0).reshape(8, 8)
    by = {spec: NamedSharding(mesh, PartitionSpec(*spec)) for spec in ("ab", "ba", "a", "b")}
    sharded = jax.device_put(x, by["ab"])
    summed = shard_map(lambda x: jax.lax.psum(flipped(x), "a"), mesh=mesh, in_specs=PartitionSpec("a", "b"),
                       out_specs=PartitionSpec(None, "b"))

    def constrained(x):
        return jax.lax.with_sharding_constraint(flipped(x), by["ba"]) + 1

    say("plain", lambda x: flipped(x) + 1, [x])
    say("sharded", lambda x: flipped(x) + 1, [sharded])
    say("two", lambda x, y: flipped(x) @ y, [sharded, sharded])
    say("mixed", lambda x, y: flipped(x) @ y, [sharded, np.ones((8, 8), np.float32)])
    for argument in (x, sharded):  # the program is for four devices, whatever the argument is on
        fast = rankwright.jit(constrained)
        assert np.array_equal(fast(argument), x + 1)
    say("constraint", constrained, [x])
    say("shardings", lambda x: flipped(x) + 1, [x], in_shardings=by["a"], out_shardings=by["b"])
    say("shard_map", lambda x: flipped(summed(x)), [x])
    say("closure", lambda x: flipped(x) + sharded, [x])
    say("other device", lambda x: flipped(x) + 1, [jax.device_put(x, jax.devices()[2])])
    fast = rankwright.jit(lambda x: flipped(x) + 1)
    assert np.array_equal(fast(x), fast(sharded))
    if hasattr(jax.sharding, "AxisType") and hasattr(jax, "set_mesh"):
        explicit = jax.make_mesh((2, 2), ("a", "b"), axis_types=(jax.sharding.AxisType.Explicit,) * 2)
        with jax.set_mesh(explicit):
            say("explicit", lambda x: flipped(x) + 1, [jax.device_put(x, PartitionSpec("a", "b"))])


if __name__ == "__main__":
    main()
