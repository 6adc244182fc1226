// jnp.where as JAX exports it: a function that is called for each choice.
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %low = stablehlo.constant dense<-1.0> : tensor<4x8xf32>
  %high = stablehlo.constant dense<2.0> : tensor<4x8xf32>
  %0 = stablehlo.compare LT, %x, %low : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %a = stablehlo.constant dense<-3.0> : tensor<f32>
  %1 = call @where(%0, %a, %x) : (tensor<4x8xi1>, tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.compare GT, %x, %high : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %b = stablehlo.constant dense<4.0> : tensor<f32>
  %3 = call @where(%2, %b, %1) : (tensor<4x8xi1>, tensor<f32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
func.func private @where(%p: tensor<4x8xi1>, %c: tensor<f32>, %x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %1 = stablehlo.select %p, %0, %x : tensor<4x8xi1>, tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
