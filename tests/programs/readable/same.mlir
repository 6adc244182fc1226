// A program of which nothing is cheaper: it stays as it is, byte by byte.
#layout = dense<[1, 0]> : tensor<2xindex>
#loc = loc("model.py":1:0)
#loc1 = loc("x"(#loc))
module @net attributes {mhlo.num_partitions = 1 : i32} {
  func.func private   @noise(tensor<4xf32>) -> tensor<4xf32>

  // the forward pass
  func.func public @main(%arg0: tensor<4x8xf32> {jax.arg_info = "x"} loc("p0"), %w: tensor<8x8xf32>, %i: tensor<i32>)
      -> (tensor<4x8xf32> {jax.result_info = ""}, tensor<4xf32>) {
    // first: a product
    %0 = "stablehlo.dot_general"(%arg0, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> loc(#loc1)
    %cst_7 = stablehlo.constant dense<0.0> : tensor<f32>   // the zero


    %12 = stablehlo.reduce(%0 init: %cst_7) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%a: tensor<f32>, %b: tensor<f32>)  {
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }
    %7:2 = "stablehlo.case"(%i) ({
      %9 = stablehlo.sine %0 : tensor<4x8xf32>
      // nothing else
      stablehlo.return %9, %12 : tensor<4x8xf32>, tensor<4xf32>
    }, {
      %9 = stablehlo.cosine   %0 : tensor<4x8xf32>
      stablehlo.return %9, %12 : tensor<4x8xf32>, tensor<4xf32>
    }) : (tensor<i32>) -> (tensor<4x8xf32>, tensor<4xf32>) loc("branch")
    %n = call @noise(%7#1) : (tensor<4xf32>) -> tensor<4xf32>
    %8:2 = stablehlo.while(%it = %i, %v = %7#0) : tensor<i32>, tensor<4x8xf32>
     cond {
      %c = stablehlo.constant dense<10> : tensor<i32>
      %t = stablehlo.compare LT, %it, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %t = stablehlo.add %it, %one : tensor<i32>
      %u = stablehlo.tanh %v {xla_shape = "f32[4,8]{1,0}", result_layout = #layout} : tensor<4x8xf32>
      stablehlo.return %t, %u : tensor<i32>, tensor<4x8xf32>
    }
    call @log(%n) : (tensor<4xf32>) -> ()
    return %8#1, %n : tensor<4x8xf32>, tensor<4xf32>
  } loc(#loc)

  "func.func"() <{function_type = (tensor<4xf32>) -> (), sym_name = "log"}> ({
  ^bb0(%x: tensor<4xf32>):
    stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}
// the end
