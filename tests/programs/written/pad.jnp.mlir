module @jit_jnp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<7x9xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_pad(%arg0, %cst) : (tensor<4x6xf32>, tensor<f32>) -> tensor<7x9xf32>
    return %0 : tensor<7x9xf32>
  }
  func.func private @_pad(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<7x9xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [2, 3], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<7x9xf32>
    return %1 : tensor<7x9xf32>
  }
}
