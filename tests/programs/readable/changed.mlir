func.func @main(%arg0: tensor<4x8xf32>, %b: tensor<8x4xf32>, %n: tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
  // turned twice
  %12 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>

  %13 = "stablehlo.transpose"(%12) <{permutation = array<i64: 1, 0>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %first = "stablehlo.sine"(%13) : (tensor<4x8xf32>) -> tensor<4x8xf32> // of the argument

  %unused = stablehlo.cosine %arg0 : tensor<4x8xf32>
  %20 = stablehlo.tanh   %n : tensor<8x4xf32>
  %21 = stablehlo.add %12, %b : tensor<8x4xf32>
  %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %23 = stablehlo.tanh   %n : tensor<8x4xf32>
  %24 = stablehlo.sine %23 : tensor<8x4xf32>
  return %first, %24, %22 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>
}
