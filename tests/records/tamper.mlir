// A program for tests of records: every kind of proof line occurs.
func.func @main(%a: tensor<6x8xf32>, %b: tensor<8x6xf32>, %c: tensor<6x8xi1>) -> (tensor<3x4xf32>, tensor<8x6xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<6x8xf32>
  %two = stablehlo.constant dense<2.0> : tensor<6x8xf32>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
  %s0 = stablehlo.add %a, %z : tensor<6x8xf32>
  %s1 = stablehlo.slice %s0 [0:6:1, 2:8:1] : (tensor<6x8xf32>) -> tensor<6x6xf32>
  %s2 = stablehlo.slice %s1 [1:6:2, 1:5:1] : (tensor<6x6xf32>) -> tensor<3x4xf32>
  %t0 = stablehlo.transpose %b, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %t1 = stablehlo.multiply %t0, %one : tensor<6x8xf32>
  %t2 = stablehlo.transpose %t1, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %r0 = stablehlo.reverse %a, dims = [0] : tensor<6x8xf32>
  %r1 = stablehlo.reverse %r0, dims = [0] : tensor<6x8xf32>
  %k = stablehlo.multiply %two, %one : tensor<6x8xf32>
  %m = stablehlo.maximum %r1, %k : tensor<6x8xf32>
  %n = stablehlo.not %c : tensor<6x8xi1>
  %w = stablehlo.select %n, %m, %m : tensor<6x8xi1>, tensor<6x8xf32>
  %q = stablehlo.pad %s2, %zero, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %v = stablehlo.subtract %t0, %a : tensor<6x8xf32>
  %u = stablehlo.add %v, %z : tensor<6x8xf32>
  return %q, %t2, %w, %u : tensor<3x4xf32>, tensor<8x6xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}

// Run-time starts, windows, contractions, gathers and blocks.
func.func @places(%x: tensor<20x16xf32>, %i: tensor<i32>, %j: tensor<i32>, %k: tensor<4x1xi32>, %u: tensor<4x16xf32>, %y: tensor<20x16xf32>) -> (tensor<2x16xf32>, tensor<i32>, tensor<22x16xf32>, tensor<20x16xf32>, tensor<4x18xf32>, tensor<20x16xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dynamic_slice %x, %i, %z, sizes = [8, 16] : (tensor<20x16xf32>, tensor<i32>, tensor<i32>) -> tensor<8x16xf32>
  %1 = stablehlo.dynamic_slice %0, %j, %z, sizes = [2, 16] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> tensor<2x16xf32>
  %2 = stablehlo.pad %x, %f, low = [2, 0], high = [2, 0], interior = [0, 0] : (tensor<20x16xf32>, tensor<f32>) -> tensor<24x16xf32>
  %3 = "stablehlo.reduce_window"(%2, %f) <{window_dimensions = array<i64: 3, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<24x16xf32>, tensor<f32>) -> tensor<22x16xf32>
  %o = stablehlo.constant dense<0.0> : tensor<20x16xf32>
  %4 = "stablehlo.scatter"(%o, %k, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<20x16xf32>, tensor<4x1xi32>, tensor<4x16xf32>) -> tensor<20x16xf32>
  %5 = stablehlo.add %4, %y : tensor<20x16xf32>
  %6 = stablehlo.pad %x, %f, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<20x16xf32>, tensor<f32>) -> tensor<20x18xf32>
  %7 = "stablehlo.gather"(%6, %k) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 18>}> : (tensor<20x18xf32>, tensor<4x1xi32>) -> tensor<4x18xf32>
  // The sum of the clamped starts is there already.
  %p = stablehlo.constant dense<12> : tensor<i32>
  %q = stablehlo.constant dense<6> : tensor<i32>
  %8 = stablehlo.maximum %i, %z : tensor<i32>
  %9 = stablehlo.minimum %8, %p : tensor<i32>
  %10 = stablehlo.maximum %j, %z : tensor<i32>
  %11 = stablehlo.minimum %10, %q : tensor<i32>
  %12 = stablehlo.add %9, %11 : tensor<i32>
  %13 = stablehlo.dynamic_update_slice %x, %y, %i, %j : (tensor<20x16xf32>, tensor<20x16xf32>, tensor<i32>, tensor<i32>) -> tensor<20x16xf32>
  return %1, %12, %3, %5, %7, %13 : tensor<2x16xf32>, tensor<i32>, tensor<22x16xf32>, tensor<20x16xf32>, tensor<4x18xf32>, tensor<20x16xf32>
}
func.func @blocks(%x: tensor<4x6x5xf32>, %y: tensor<5x9xf32>, %i: tensor<2x20x20x3xf32>, %k: tensor<3x3x3x8xf32>, %h: tensor<16xf32>, %g: tensor<3x1xi32>, %l: tensor<8x0xf32>, %r: tensor<0x9xf32>) -> (tensor<5xf32>, tensor<4x6x9xf32>, tensor<4x6x5xf32>, tensor<2x20x20x8xf32>, tensor<6x16xf32>, tensor<8x9xf32>) {
  %f = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<24x5xf32>
  %1 = stablehlo.reduce(%0 init: %f) applies stablehlo.add across dimensions = [0] : (tensor<24x5xf32>, tensor<f32>) -> tensor<5xf32>
  %n = stablehlo.negate %y : tensor<5x9xf32>
  %w = stablehlo.negate %n : tensor<5x9xf32>
  %2 = stablehlo.dot_general %x, %w, contracting_dims = [2] x [0] : (tensor<4x6x5xf32>, tensor<5x9xf32>) -> tensor<4x6x9xf32>
  %3 = stablehlo.reshape %x : (tensor<4x6x5xf32>) -> tensor<2x12x5xf32>
  %4 = stablehlo.reshape %3 : (tensor<2x12x5xf32>) -> tensor<4x6x5xf32>
  %5 = stablehlo.pad %i, %f, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x20x20x3xf32>, tensor<f32>) -> tensor<2x22x22x3xf32>
  %6 = stablehlo.convolution(%5, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x22x22x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x20x20x8xf32>
  %7 = stablehlo.broadcast_in_dim %h, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
  %8 = "stablehlo.gather"(%7, %g) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<1x16xf32>, tensor<3x1xi32>) -> tensor<3x16xf32>
  %9 = stablehlo.concatenate %8, %8, dim = 0 : (tensor<3x16xf32>, tensor<3x16xf32>) -> tensor<6x16xf32>
  %10 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<8x0xf32>, tensor<0x9xf32>) -> tensor<8x9xf32>
  return %1, %2, %4, %6, %9, %10 : tensor<5xf32>, tensor<4x6x9xf32>, tensor<4x6x5xf32>, tensor<2x20x20x8xf32>, tensor<6x16xf32>, tensor<8x9xf32>
}
