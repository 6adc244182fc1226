func.func @main(%arg0: tensor<0xf32>, %arg1: tensor<3xf32>) -> tensor<0xf32> {
  %0 = stablehlo.custom_call @print(%arg0) : (tensor<0xf32>) -> tensor<0xf32>
  %1 = stablehlo.concatenate %arg0, %0, dim = 0 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xf32>
  return %1 : tensor<0xf32>
}
