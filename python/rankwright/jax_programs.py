# SPDX-License-Identifier: Apache-2.0
"""Programs of JAX as StableHLO text and back, by JAX's public interface only."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Dict, List, Sequence, Tuple

import jax
import jax.export

__all__ = ["text_of_bytecode", "text_of_program", "with_text", "export", "without_large_constants",
           "with_large_constants"]

# Digits of a constant that simplifying need not know: 4 KiB of values.
_LARGE = 8192
_CALL = "rankwright_large_constant_"


def text_of_program(program: Any, arguments: Sequence[Any], keywords: Dict[str, Any]) -> str:
    """StableHLO text of an `Exported`, of what JAX has traced or lowered, of a module, or of a function."""
    if isinstance(program, jax.export.Exported):
        return program.mlir_module()
    original = getattr(program, "original", None)
    if original is not None:
        program = original
    if hasattr(program, "as_text"):  # jax.stages.Lowered
        return program.as_text()
    if hasattr(program, "operation"):  # a module of MLIR's Python bindings
        return str(program)
    if callable(program) and not hasattr(program, "lower"):
        program = jax.jit(program)
    if hasattr(program, "lower"):  # a function, or jax.stages.Traced
        return program.lower(*arguments, **keywords).as_text()
    raise TypeError("neither a program nor a function: %s" % type(program).__name__)


def export(function: Any, arguments: Sequence[Any]) -> Any:
    """`jax.export` of a jitted function, with every custom call that it makes: the result stays in this process."""
    try:
        return jax.export.export(function)(*arguments)
    except ValueError as error:
        targets = custom_calls(function.lower(*arguments).as_text())
        if not targets:
            raise error
    checks = [jax.export.DisabledSafetyCheck.custom_call(name) for name in targets]
    return jax.export.export(function, disabled_checks=checks)(*arguments)


def custom_calls(text: str) -> Sequence[str]:
    """The targets of the custom calls of a program."""
    found = re.findall(r'custom_call\s+@(?:"([^"]+)"|([\w.$]+))', text)
    found += re.findall(r'call_target_name\s*=\s*"([^"]+)"()', text)
    return sorted({a or b for a, b in found})


def with_text(exported: Any, text: str) -> Any:
    """The same function with another module, which JAX's own parser and verifier have read."""
    # A JAX that reads nothing but StableHLO's portable bytecode prints errors about text.
    failed: List[Exception] = []
    ways = [lambda: text.encode(), lambda: _portable(text)]
    for way in ways if jax.__version_info__ >= (0, 10) else reversed(ways):
        try:
            made = dataclasses.replace(exported, mlir_module_serialized=way())
            made.mlir_module()
            return made
        except Exception as error:
            failed.append(error)
    raise failed[0]


def _portable(text: str) -> bytes:
    from jax.extend.mlir.dialects import stablehlo
    serialize = getattr(stablehlo, "serialize_portable_artifact_str", stablehlo.serialize_portable_artifact)
    return serialize(text, stablehlo.get_current_version())


def without_large_constants(text: str) -> Tuple[str, List[str]]:
    """A program with calls of unknown functions in place of its large constants, and these constants.

    What is proved of it is true whatever the functions give, and so with the constants in their places.
    """
    constants: List[str] = []
    if _CALL in text:  # not from here
        return text, constants

    def call(found: Any) -> str:
        constants.append(found[1])
        return "stablehlo.custom_call @%s%d() : () -> %s" % (_CALL, len(constants) - 1, found[2])

    return re.sub(r'stablehlo\.constant (dense<"0x[0-9A-F]{%d,}">) : (tensor<[^<>]*>)' % _LARGE, call, text), constants


def with_large_constants(text: str, constants: Sequence[str]) -> str:
    """The program with the constants in their places again."""
    if not constants:
        return text
    return re.sub(r"stablehlo\.custom_call @%s(\d+)\(\) : \(\) -> (tensor<[^<>]*>)" % _CALL,
                  lambda found: "stablehlo.constant %s : %s" % (constants[int(found[1])], found[2]), text)


def text_of_bytecode(data: bytes) -> str:
    """StableHLO text of MLIR bytecode."""
    nothing = jax.export.export(jax.jit(lambda: 0))()
    return dataclasses.replace(nothing, mlir_module_serialized=data).mlir_module()
