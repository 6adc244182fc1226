func.func @main(%x: tensor<4xi32>, %i: tensor<3x1xi32>, %u: tensor<3xi32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %d = stablehlo.add %b, %c : tensor<i32>
    %e = stablehlo.add %a, %d : tensor<i32>
    stablehlo.return %e : tensor<i32>
  }
  %s = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.constant dense<1> : tensor<i32>
    %d = stablehlo.multiply %b, %c : tensor<i32>
    %e = stablehlo.add %a, %d : tensor<i32>
    stablehlo.return %e : tensor<i32>
  }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  %t = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>
  return %r, %s, %t : tensor<i32>, tensor<4xi32>, tensor<4xi32>
}
