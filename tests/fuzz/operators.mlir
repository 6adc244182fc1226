module @operators {
  func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %s: tensor<f32>, %i: tensor<i32>, %g: tensor<2x4x5x2xf32>, %k: tensor<2x2x2x4xf32>, %n: tensor<2x1xi32>) -> tensor<2x3xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3xf32>
    %2 = stablehlo.convolution(%g, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, -1], [0, 1]], lhs_dilate = [1, 2], rhs_dilate = [1, 3], reverse = [false, true]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5x2xf32>, tensor<2x2x2x4xf32>) -> tensor<1x2x7x4xf32>
    %3 = "stablehlo.convolution"(%g, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[f, 0, 1, b]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>, window_strides = array<i64: 1, 1>}> : (tensor<2x4x5x2xf32>, tensor<2x2x2x4xf32>) -> tensor<4x3x4x2xf32>
    %4 = "stablehlo.reduce_window"(%x, %s) <{base_dilations = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x1xf32>
    %5 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
    %6 = stablehlo.dynamic_update_slice %x, %5, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %7 = "stablehlo.gather"(%6, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
    %8 = "stablehlo.gather"(%x, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>
    %9 = "stablehlo.scatter"(%7, %n, %x) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %b : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %10 = stablehlo.reshape %9 : (tensor<2x3xf32>) -> tensor<6xf32>
    %11 = stablehlo.bitcast_convert %10 : (tensor<6xf32>) -> tensor<6x4xi8>
    %12 = stablehlo.bitcast_convert %11 : (tensor<6x4xi8>) -> tensor<6xf32>
    %13 = stablehlo.reshape %12 : (tensor<6xf32>) -> tensor<2x3xf32>
    stablehlo.custom_call @keep(%0, %1, %2, %3, %4, %8) : (tensor<2x4xf32>, tensor<3xf32>, tensor<1x2x7x4xf32>, tensor<4x3x4x2xf32>, tensor<3x1xf32>, tensor<2x2xf32>) -> ()
    return %13 : tensor<2x3xf32>
  }
}
