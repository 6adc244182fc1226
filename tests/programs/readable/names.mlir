// A new value has a name after the one that it is computed for; no name is given twice.
module @names {
  func.func private @once(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %a = stablehlo.sine %x : tensor<4x8xf32>
    %b = stablehlo.cosine %a : tensor<4x8xf32>
    %c = stablehlo.tanh %b : tensor<4x8xf32>
    %d = stablehlo.add %c, %y : tensor<4x8xf32>
    return %d : tensor<4x8xf32>
  }
  func.func public @main(%p: tensor<4x8xf32>, %i: tensor<i32>, %v7_1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %7 = func.call @once(%p, %v7_1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %r = "stablehlo.case"(%i) ({
      %1 = stablehlo.exponential %p : tensor<4x8xf32>
      %2 = stablehlo.add %1, %v7_1 : tensor<4x8xf32>
      stablehlo.return %2 : tensor<4x8xf32>
    }, {
      %1 = stablehlo.exponential %p : tensor<4x8xf32>
      %2 = stablehlo.subtract %1, %v7_1 : tensor<4x8xf32>
      stablehlo.return %2 : tensor<4x8xf32>
    }) : (tensor<i32>) -> tensor<4x8xf32>
    return %7, %r : tensor<4x8xf32>, tensor<4x8xf32>
  }
}
