"""Run a StableHLO program one operation at a time: equal operations on equal values give equal
bits, however XLA would fuse or order them in a whole program.  Used by run_models.py.
"""

from jax._src.lib import xla_client
from jax.extend.backend import get_backend
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

import run_jax
from run_jax import jax, np

compiled = {}  # text of a module with one operation -> program


def operations(op):
    """All operations inside, inner ones too."""
    for region in op.regions:
        for block in region:
            for inner in block.operations:
                yield inner.operation
                yield from operations(inner.operation)


def captured(op):
    """Values from outside that the operation's regions use."""
    inside = [v for inner in operations(op) for v in inner.results]
    inside += [v for o in [op, *operations(op)] for region in o.regions for block in region
               for v in block.arguments]
    known, found = set(inside), []
    for inner in operations(op):
        for value in inner.operands:
            if value not in known:
                known.add(value)
                found.append(value)
    return found


def is_constant(value):
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.operation.name == "stablehlo.constant"


def alone(op, values, constants):
    """A module of this operation; its arguments are the values.  XLA wants the constants beside."""
    module = ir.Module.create()
    kind = ir.FunctionType.get([v.type for v in values], [r.type for r in op.results])
    with ir.InsertionPoint(module.body):
        block = func.FuncOp("main", kind).add_entry_block()
    with ir.InsertionPoint(block):
        argument = dict(zip(values, block.arguments))
        for value in constants:
            argument[value] = value.owner.operation.clone().results[0]
        copy = op.clone()
        for one in [copy, *operations(copy)]:
            for k, value in enumerate(one.operands):
                if value in argument:
                    one.operands[k] = argument[value]
        func.ReturnOp(list(copy.results))
    return str(module.operation.get_asm())


def run_one(op, env, device):
    free = captured(op)
    values = list(dict.fromkeys([*op.operands, *(v for v in free if not is_constant(v))]))
    text = alone(op, values, [v for v in free if is_constant(v) and v not in values])
    if text not in compiled:
        compiled[text] = get_backend("cpu").compile_and_load(
            ir.Module.parse(text), executable_devices=xla_client.DeviceList((device,)),
            compile_options=xla_client.CompileOptions())
    results = compiled[text].execute_sharded([env[v] for v in values])
    return [r[0] for r in results.disassemble_into_single_device_arrays()]


def call(function, by_name, arrays, device):
    block = function.regions[0].blocks[0]
    env = dict(zip(block.arguments, arrays))
    for op in (o.operation for o in block.operations):
        if op.name == "func.return":
            return [env[v] for v in op.operands]
        if op.name == "func.call":
            callee = by_name[ir.FlatSymbolRefAttr(op.attributes["callee"]).value]
            results = call(callee, by_name, [env[v] for v in op.operands], device)
        else:
            results = run_one(op, env, device)
        env.update(zip(op.results, results))


def run(path, inputs):
    """The results of main.  Regions are run as a whole."""
    module = run_jax.parse(path)
    by_name = {ir.StringAttr(f.attributes["sym_name"]).value: f for f in module.body.operations
               if f.operation.name == "func.func"}
    device = get_backend("cpu").devices()[0]
    arrays = [jax.device_put(value, device) for value in inputs]
    return [np.asarray(r) for r in call(by_name["main"], by_name, arrays, device)]
