// What JAX writes for the variance of rows, and for a choice by one truth value.
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4x8xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %ok = stablehlo.constant dense<true> : tensor<i1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<4x8xf32>
  %s = chlo.square %x : tensor<4x8xf32> -> tensor<4x8xf32>
  %p = stablehlo.multiply %x, %x : tensor<4x8xf32>
  %d = stablehlo.subtract %s, %p : tensor<4x8xf32>
  %n = "chlo.square"(%d) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = stablehlo.add %n, %s : tensor<4x8xf32>
  %r = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %c = stablehlo.select %ok, %s, %nan : tensor<i1>, tensor<4x8xf32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %nine = chlo.square %three : tensor<f32> -> tensor<f32>
  return %r, %c, %nine : tensor<4xf32>, tensor<4x8xf32>, tensor<f32>
}
