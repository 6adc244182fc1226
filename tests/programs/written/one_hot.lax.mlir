module @jit_lax attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xi32>) -> (tensor<4x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x5xi32>
    %1 = stablehlo.iota dim = 1 : tensor<4x5xi32>
    %2 = stablehlo.compare EQ, %0, %1, SIGNED : (tensor<4x5xi32>, tensor<4x5xi32>) -> tensor<4x5xi1>
    %3 = stablehlo.convert %2 : (tensor<4x5xi1>) -> tensor<4x5xf32>
    return %3 : tensor<4x5xf32>
  }
}
