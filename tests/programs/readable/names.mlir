// Calls go; what the branches have in common comes in front of them.  No name is given twice.
module @names {
  func.func private @first(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.sine %x : tensor<4x8xf32>
    %b = stablehlo.cosine   %0 : tensor<4x8xf32>
    %c = stablehlo.add %b, %y : tensor<4x8xf32>
    return %c : tensor<4x8xf32>
  }
  func.func private @second(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.sine %x : tensor<4x8xf32>
    %b = stablehlo.tanh   %0 : tensor<4x8xf32>
    %c = stablehlo.add %b, %y : tensor<4x8xf32>
    return %c : tensor<4x8xf32>
  }
  func.func public @main(%p: tensor<4x8xf32>, %i: tensor<i32>, %0: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %7 = func.call @first(%p, %0) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %8 = func.call @second(%7, %0) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %r = "stablehlo.case"(%i) ({
      %1 = stablehlo.exponential %p : tensor<4x8xf32>
      %2 = stablehlo.add %1, %0 : tensor<4x8xf32>
      stablehlo.return %2 : tensor<4x8xf32>
    }, {
      %1 = stablehlo.exponential %p : tensor<4x8xf32>
      %2 = stablehlo.subtract %1, %0 : tensor<4x8xf32>
      stablehlo.return %2 : tensor<4x8xf32>
    }) : (tensor<i32>) -> tensor<4x8xf32>
    return %8, %r : tensor<4x8xf32>, tensor<4x8xf32>
  }
}
