"""Texts that are read without an error, with a foreign text in every place that an answer may show.

Each form is (page, task, text): {q} is the foreign text inside of quotes of MLIR, JSON and HLO, {l} the
same on one line.
"""
import json

PROGRAM = """module @"{q}" attributes {mhlo.x = "{q}"} {
  func.func public @main(%a: tensor<4x6xf32> {jax.arg_info = "{q}"}) -> (tensor<4x6xf32> {jax.result_info = "{q}"}) {
    %0 = stablehlo.reverse %a, dims = [0] {x = "{q}", "{q}" = 1 : i32} : tensor<4x6xf32>
    %1 = stablehlo.custom_call @"{q}"(%0) {backend_config = "{q}"} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = call @"{q}"(%1) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = "vendor.{q}"(%2) {y = "{q}"} : (tensor<4x6xf32>) -> tensor<4x6xf32> loc("{q}")
    %4 = stablehlo.reverse %3, dims = [1] : tensor<4x6xf32>
    %5 = stablehlo.reverse %4, dims = [1] : tensor<4x6xf32> loc("{q}")
    return %5 : tensor<4x6xf32>
  }
  func.func private @"{q}"(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.negate %a : tensor<4x6xf32> // {l}
    return %0 : tensor<4x6xf32>
  }
}
"""
HLO = """HloModule m

ENTRY main {
  p = f32[4] parameter(0), metadata={op_name="{q}" source_file="{q}"}
  c = f32[4] custom-call(p), custom_call_target="{q}", backend_config="{q}"
  n = f32[4] negate(c), metadata={op_name="{q}"}
  ROOT r = f32[4] negate(n), metadata={op_name="{q}"}
}
"""
KERNEL = """// kernel: {l}
// compiled with: {l}
// constexpr: {l}=64
// arguments: %arg0={l}:*fp32, %arg1=n:i32
// launch grid: (n,)
// {l}
module {
  tt.func public @"{q}"(%arg0: !tt.ptr<f32>, %arg1: i32) attributes {noinline = false, x = "{q}"} {
    %0 = tt.get_program_id x : i32
    %1 = arith.constant 1.0 : f32 loc("{q}")
    %2 = tt.addptr %arg0, %0 : !tt.ptr<f32>, i32
    tt.store %2, %1 : !tt.ptr<f32>
    tt.return
  }
}
"""
KERNEL_NAMED = KERNEL.replace("%arg0={l}:*fp32", "%arg0=out:*fp32").replace("// constexpr: {l}=64\n", "")
RULE = """/// {l}
rule my_rule {
  origin "{q}";
  // {l}
  axes x;
  map n on x;
  tensor A[x: n] : num;
  claims int;
  add(A, 1) => A;
}
"""
FORMS = [
    ("play/programs", "simplify", PROGRAM), ("play/programs", "missed", PROGRAM), ("play/programs", "egraph", PROGRAM),
    ("play/programs", "simplify", HLO), ("play/programs", "egraph", HLO), ("play/learn", "learn", PROGRAM),
    ("play/kernels", "lift", KERNEL), ("play/kernels", "lift", KERNEL_NAMED),
    ("play/rules", "prove", RULE), ("play/rules", "repair", RULE), ("play/rules", "generalize", RULE),
    ("play/rules", "known", RULE), ("play/rules", "relatives", RULE), ("play/rules", "lint", RULE + RULE.replace("my_rule", "other")),
    ("play/formulas", "formula", "let {l} = 2; {l} + x"), ("play/formulas", "formula", "{l}(x) + sum[{l}](y[{l}])"),
    ("play/formulas", "formula", "x + 1 // {l}"),
]


def filled(form, text):
    """The form with the text in all its places."""
    quoted = json.dumps(text)[1:-1]
    line = " ".join(text.split())
    return form.replace("{q}", quoted).replace("{l}", line)


def bent(value, text, number, at=None):
    """A JSON value in which string `number` is the text, as a key too; None behind the last one."""
    at = at if at is not None else [0]

    def mine():
        at[0] += 1
        return at[0] - 1 == number

    def walk(value):
        if isinstance(value, str):
            return text if mine() else value
        if isinstance(value, list):
            return [walk(one) for one in value]
        if isinstance(value, dict):
            return {(text if mine() else key): walk(one) for key, one in value.items()}
        return value
    made = walk(value)
    return made if number < at[0] else None
