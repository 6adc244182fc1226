// The sum of three joined vectors, two of which have one element.
func.func @joined(%x: tensor<6xf32>, %y: tensor<1xf32>, %z: tensor<1xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.concatenate %x, %y, %z, dim = 0 : (tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func @apart(%x: tensor<6xf32>, %y: tensor<1xf32>, %z: tensor<1xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%y init: %c) applies stablehlo.add across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  %2 = stablehlo.reduce(%z init: %c) applies stablehlo.add across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.add %0, %1 : tensor<f32>
  %4 = stablehlo.add %3, %2 : tensor<f32>
  return %4 : tensor<f32>
}
