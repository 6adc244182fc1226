module @jit_decode attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x8x16xf32>, %arg1: tensor<i32>, %arg2: tensor<3xi32>, %arg3: tensor<20x16xf32>, %arg4: tensor<16x16xf32>) -> (tensor<3x4xf32> {jax.result_info = "result['best'][0]"}, tensor<3x4xi32> {jax.result_info = "result['best'][1]"}, tensor<3x8x16xf32> {jax.result_info = "result['cache']"}, tensor<20xi32> {jax.result_info = "result['counts']"}, tensor<3x8xf32> {jax.result_info = "result['mass']"}, tensor<3xi32> {jax.result_info = "result['next']"}, tensor<3x8xi32> {jax.result_info = "result['order']"}, tensor<3x8xf32> {jax.result_info = "result['ranked']"}, tensor<3x16xf32> {jax.result_info = "result['trace']"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<7> : tensor<i32>
    %0 = call @clip(%arg1, %c, %c_0) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %2 = stablehlo.compare LT, %arg2, %1, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<20> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %4 = stablehlo.add %arg2, %3 : tensor<3xi32>
    %5 = stablehlo.select %2, %4, %arg2 : tensor<3xi1>, tensor<3xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %7 = "stablehlo.gather"(%arg3, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<20x16xf32>, tensor<3x1xi32>) -> tensor<3x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<3x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %11 = stablehlo.add %9, %10 : tensor<3x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<3x16xf32>) -> tensor<3x1x16xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.compare LT, %0, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<8> : tensor<i32>
    %14 = stablehlo.add %0, %c_5 : tensor<i32>
    %15 = stablehlo.select %13, %14, %0 : tensor<i1>, tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.dynamic_update_slice %arg0, %12, %c_6, %15, %c_7 : (tensor<3x8x16xf32>, tensor<3x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x8x16xf32>
    %17 = stablehlo.iota dim = 0 : tensor<8xi32>
    %18 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %19 = stablehlo.compare LE, %17, %18, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %20 = stablehlo.dot_general %11, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x16xf32>) -> tensor<3x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %22 = stablehlo.add %20, %21 : tensor<3x16xf32>
    %23 = stablehlo.dot_general %22, %16, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<3x8x16xf32>) -> tensor<3x8xf32>
    %24 = stablehlo.broadcast_in_dim %19, dims = [1] : (tensor<8xi1>) -> tensor<1x8xi1>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = call @_where(%24, %23, %cst_9) : (tensor<1x8xi1>, tensor<3x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    %values, %indices = chlo.top_k(%25, k = 4) : tensor<3x8xf32> -> (tensor<3x4xf32>, tensor<3x4xi32>)
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %27 = stablehlo.transpose %16, dims = [1, 0, 2] : (tensor<3x8x16xf32>) -> tensor<8x3x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x3x16xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %29:4 = stablehlo.while(%iterArg = %27, %iterArg_24 = %c_12, %iterArg_25 = %26, %iterArg_26 = %28) : tensor<8x3x16xf32>, tensor<i32>, tensor<3x16xf32>, tensor<8x3x16xf32>
    cond {
      %c_27 = stablehlo.constant dense<8> : tensor<i32>
      %72 = stablehlo.compare LT, %iterArg_24, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %72 : tensor<i1>
    } do {
      %72 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_24) : (tensor<8x3x16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %73 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
      %74 = stablehlo.multiply %iterArg_25, %73 : tensor<3x16xf32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %75 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
      %76 = stablehlo.add %74, %75 : tensor<3x16xf32>
      %77 = stablehlo.add %76, %72 : tensor<3x16xf32>
      %78 = stablehlo.tanh %77 : tensor<3x16xf32>
      %79 = chlo.square %78 : tensor<3x16xf32> -> tensor<3x16xf32>
      %80 = func.call @dynamic_update_index_in_dim(%iterArg_26, %79, %iterArg_24) : (tensor<8x3x16xf32>, tensor<3x16xf32>, tensor<i32>) -> tensor<8x3x16xf32>
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %81 = stablehlo.add %iterArg_24, %c_29 : tensor<i32>
      stablehlo.return %iterArg, %81, %78, %80 : tensor<8x3x16xf32>, tensor<i32>, tensor<3x16xf32>, tensor<8x3x16xf32>
    }
    %c_13 = stablehlo.constant dense<3> : tensor<i32>
    %30 = stablehlo.compare GT, %0, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %31 = stablehlo.convert %30 : (tensor<i1>) -> tensor<i32>
    %32 = "stablehlo.case"(%31) ({
      %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %72 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
      %73 = stablehlo.multiply %29#2, %72 : tensor<3x16xf32>
      %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %74 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
      %75 = stablehlo.add %73, %74 : tensor<3x16xf32>
      stablehlo.return %75 : tensor<3x16xf32>
    }, {
      stablehlo.return %29#2 : tensor<3x16xf32>
    }) : (tensor<i32>) -> tensor<3x16xf32>
    %33 = stablehlo.negate %25 : tensor<3x8xf32>
    %34 = call @argsort(%33) : (tensor<3x8xf32>) -> tensor<3x8xi32>
    %35 = call @sort(%25) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %36 = stablehlo.reverse %35, dims = [1] : tensor<3x8xf32>
    %37 = stablehlo.reverse %36, dims = [1] : tensor<3x8xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<20xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %40 = stablehlo.compare LT, %arg2, %39, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %c_16 = stablehlo.constant dense<20> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %42 = stablehlo.add %arg2, %41 : tensor<3xi32>
    %43 = stablehlo.select %40, %42, %arg2 : tensor<3xi1>, tensor<3xi32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<3xi32>) -> tensor<3x1xi32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<3xi32>
    %46 = "stablehlo.scatter"(%38, %44, %45) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<i32>):
      %72 = stablehlo.add %arg5, %arg6 : tensor<i32>
      stablehlo.return %72 : tensor<i32>
    }) : (tensor<20xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<20xi32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %48 = stablehlo.divide %25, %47 : tensor<3x8xf32>
    %cst_19 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_19) applies stablehlo.maximum across dimensions = [1] : (tensor<3x8xf32>, tensor<f32>) -> tensor<3xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x8xf32>
    %52 = stablehlo.subtract %48, %51 : tensor<3x8xf32>
    %53 = stablehlo.exponential %52 : tensor<3x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_20) applies stablehlo.add across dimensions = [1] : (tensor<3x8xf32>, tensor<f32>) -> tensor<3xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x8xf32>
    %57 = stablehlo.divide %53, %56 : tensor<3x8xf32>
    %58 = call @cumsum(%57) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %60 = stablehlo.multiply %59, %32 : tensor<3x16xf32>
    %61 = stablehlo.negate %32 : tensor<3x16xf32>
    %cst_22 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<3x16xf32>
    %64 = chlo.erfc %63 : tensor<3x16xf32> -> tensor<3x16xf32>
    %65 = stablehlo.multiply %60, %64 : tensor<3x16xf32>
    %66 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<20x16xf32>) -> tensor<16x20xf32>
    %67 = stablehlo.dot_general %65, %66, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x16xf32>, tensor<16x20xf32>) -> tensor<3x20xf32>
    %68 = call @argmax(%67) : (tensor<3x20xf32>) -> tensor<3xi32>
    %69 = stablehlo.transpose %29#3, dims = [1, 0, 2] : (tensor<8x3x16xf32>) -> tensor<3x8x16xf32>
    %70 = stablehlo.transpose %69, dims = [1, 0, 2] : (tensor<3x8x16xf32>) -> tensor<8x3x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_23) applies stablehlo.add across dimensions = [0] : (tensor<8x3x16xf32>, tensor<f32>) -> tensor<3x16xf32>
    return %values, %indices, %16, %46, %58, %68, %34, %37, %71 : tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x8x16xf32>, tensor<20xi32>, tensor<3x8xf32>, tensor<3xi32>, tensor<3x8xi32>, tensor<3x8xf32>, tensor<3x16xf32>
  }
  func.func private @clip(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.maximum %0, %arg0 : tensor<i32>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %3 = stablehlo.minimum %2, %1 : tensor<i32>
    return %3 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<1x8xi1>, %arg1: tensor<3x8xf32>, %arg2: tensor<f32>) -> tensor<3x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x8xi1>) -> tensor<3x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<3x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<3x8xi1>, tensor<3x8xf32>
    return %3 : tensor<3x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x3x16xf32>, %arg1: tensor<i32>) -> tensor<3x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 3, 16] : (tensor<8x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x3x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x3x16xf32>) -> tensor<3x16xf32>
    return %1 : tensor<3x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x3x16xf32>, %arg1: tensor<3x16xf32>, %arg2: tensor<i32>) -> tensor<8x3x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<3x16xf32>) -> tensor<1x3x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x3x16xf32>, tensor<1x3x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x3x16xf32>
    return %1 : tensor<8x3x16xf32>
  }
  func.func private @argsort(%arg0: tensor<3x8xf32>) -> tensor<3x8xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<3x8xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<3x8xf32>, tensor<3x8xi32>) -> (tensor<3x8xf32>, tensor<3x8xi32>)
    return %1#1 : tensor<3x8xi32>
  }
  func.func private @sort(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    return %0 : tensor<3x8xf32>
  }
  func.func private @cumsum(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    return %0 : tensor<3x8xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x8xf32>
    return %1 : tensor<3x8xf32>
  }
  func.func private @argmax(%arg0: tensor<3x20xf32>) -> tensor<3xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<3x20xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<3x20xf32>, tensor<3x20xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<3xi32>
  }
}
