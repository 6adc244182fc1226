module @jit_conv_stack attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<3x3x8x8xf32>, %arg2: tensor<3x3x8x8xf32>, %arg3: tensor<8x4xf32>, %arg4: tensor<8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<8xf32>, %arg7: tensor<3x3x8x8xf32>, %arg8: tensor<3x3x8x8xf32>, %arg9: tensor<8x4xf32>, %arg10: tensor<8xf32>, %arg11: tensor<4x8xf32>, %arg12: tensor<16x10xf32>, %arg13: tensor<1x1x8x8xf32>, %arg14: tensor<3x3x3x8xf32>, %arg15: tensor<8xf32>, %arg16: tensor<2x3x16x16xf32>) -> (tensor<16xi1> {jax.result_info = "result['active']"}, tensor<2x10xf32> {jax.result_info = "result['logits']"}, tensor<2xf32> {jax.result_info = "result['peak']"}) {
    %cst = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00, 0.000000e+00], [1.000000e+00, -4.000000e+00, 1.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [0, 1] : (tensor<3x3xf32>) -> tensor<3x3x1x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad(%arg16, %c) : (tensor<2x3x16x16xf32>, tensor<i32>) -> tensor<2x3x18x18xf32>
    %2 = stablehlo.transpose %1, dims = [0, 2, 3, 1] : (tensor<2x3x18x18xf32>) -> tensor<2x18x18x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.pad %2, %cst_0, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x18x18x3xf32>, tensor<f32>) -> tensor<2x20x20x3xf32>
    %4 = stablehlo.convolution(%3, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x20x20x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x18x18x8xf32>
    %5 = stablehlo.broadcast_in_dim %arg15, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x18x18x8xf32>
    %7 = stablehlo.add %4, %6 : tensor<2x18x18x8xf32>
    %8 = stablehlo.transpose %7, dims = [0, 3, 1, 2] : (tensor<2x18x18x8xf32>) -> tensor<2x8x18x18xf32>
    %9 = stablehlo.slice %8 [0:2, 0:8, 1:17, 1:17] : (tensor<2x8x18x18xf32>) -> tensor<2x8x16x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x16x16xf32>
    %14 = stablehlo.multiply %9, %13 : tensor<2x8x16x16xf32>
    %15 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x16x16xf32>
    %17 = stablehlo.add %14, %16 : tensor<2x8x16x16xf32>
    %18 = call @relu(%17) : (tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
    %19 = stablehlo.slice %18 [0:2, 0:1, 0:16, 0:16] : (tensor<2x8x16x16xf32>) -> tensor<2x1x16x16xf32>
    %20 = stablehlo.transpose %19, dims = [0, 2, 3, 1] : (tensor<2x1x16x16xf32>) -> tensor<2x16x16x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.pad %20, %cst_3, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x16x16x1xf32>, tensor<f32>) -> tensor<2x18x18x1xf32>
    %22 = stablehlo.convolution(%21, %0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x18x18x1xf32>, tensor<3x3x1x1xf32>) -> tensor<2x16x16x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x16x16x1xf32>
    %24 = stablehlo.add %22, %23 : tensor<2x16x16x1xf32>
    %25 = stablehlo.transpose %24, dims = [0, 3, 1, 2] : (tensor<2x16x16x1xf32>) -> tensor<2x1x16x16xf32>
    %26 = stablehlo.concatenate %18, %25, dim = 1 : (tensor<2x8x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x9x16x16xf32>
    %27 = stablehlo.slice %26 [0:2, 0:8, 0:16, 0:16] : (tensor<2x9x16x16xf32>) -> tensor<2x8x16x16xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.reduce_window"(%27, %28) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %163 = stablehlo.maximum %arg17, %arg18 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<2x8x16x16xf32>, tensor<f32>) -> tensor<2x8x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %31 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %33 = stablehlo.multiply %29, %32 : tensor<2x8x8x8xf32>
    %34 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %36 = stablehlo.add %33, %35 : tensor<2x8x8x8xf32>
    %37 = stablehlo.transpose %36, dims = [0, 2, 3, 1] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.pad %37, %cst_7, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x10x10x8xf32>
    %39 = stablehlo.convolution(%38, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x10x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %41 = stablehlo.add %39, %40 : tensor<2x8x8x8xf32>
    %42 = stablehlo.transpose %41, dims = [0, 3, 1, 2] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %43 = call @relu_0(%42) : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %44 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x8x8xf32>
    %45 = stablehlo.transpose %43, dims = [0, 2, 3, 1] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.pad %45, %cst_9, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x10x10x8xf32>
    %47 = stablehlo.reverse %44, dims = [0, 1] : tensor<3x3x8x8xf32>
    %48 = stablehlo.convolution(%46, %47) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x10x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x8x8x8xf32>
    %49 = stablehlo.broadcast_in_dim %arg0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x8x8x8xf32>
    %51 = stablehlo.add %48, %50 : tensor<2x8x8x8xf32>
    %52 = stablehlo.transpose %51, dims = [0, 3, 1, 2] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_10) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_11 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %55 = stablehlo.divide %53, %54 : tensor<2x8xf32>
    %56 = stablehlo.dot_general %55, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %58 = stablehlo.add %56, %57 : tensor<2x4xf32>
    %59 = call @relu_1(%58) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %60 = stablehlo.dot_general %59, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %62 = stablehlo.add %60, %61 : tensor<2x8xf32>
    %63 = stablehlo.negate %62 : tensor<2x8xf32>
    %64 = stablehlo.exponential %63 : tensor<2x8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %66 = stablehlo.add %65, %64 : tensor<2x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %68 = stablehlo.divide %67, %66 : tensor<2x8xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1x1xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2, 3] : (tensor<2x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %71 = stablehlo.multiply %52, %70 : tensor<2x8x8x8xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %73 = stablehlo.multiply %72, %29 : tensor<2x8x8x8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %75 = stablehlo.multiply %74, %71 : tensor<2x8x8x8xf32>
    %76 = stablehlo.add %73, %75 : tensor<2x8x8x8xf32>
    %77 = call @relu_0(%76) : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %78 = stablehlo.slice %77 [0:2, 0:4, 0:8, 0:8] : (tensor<2x8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %79 = stablehlo.slice %77 [0:2, 4:8, 0:8, 0:8] : (tensor<2x8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %80 = stablehlo.concatenate %78, %79, dim = 1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %82 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %84 = stablehlo.multiply %80, %83 : tensor<2x8x8x8xf32>
    %85 = stablehlo.broadcast_in_dim %81, dims = [1] : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %87 = stablehlo.add %84, %86 : tensor<2x8x8x8xf32>
    %88 = stablehlo.transpose %87, dims = [0, 2, 3, 1] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.pad %88, %cst_19, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x10x10x8xf32>
    %90 = stablehlo.convolution(%89, %arg7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x10x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %92 = stablehlo.add %90, %91 : tensor<2x8x8x8xf32>
    %93 = stablehlo.transpose %92, dims = [0, 3, 1, 2] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %94 = call @relu_0(%93) : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %95 = stablehlo.reverse %arg8, dims = [0, 1] : tensor<3x3x8x8xf32>
    %96 = stablehlo.transpose %94, dims = [0, 2, 3, 1] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.pad %96, %cst_21, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x10x10x8xf32>
    %98 = stablehlo.reverse %95, dims = [0, 1] : tensor<3x3x8x8xf32>
    %99 = stablehlo.convolution(%97, %98) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x10x10x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x8x8x8xf32>
    %100 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<2x8x8x8xf32>
    %102 = stablehlo.add %99, %101 : tensor<2x8x8x8xf32>
    %103 = stablehlo.transpose %102, dims = [0, 3, 1, 2] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%103 init: %cst_22) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x8xf32>
    %cst_23 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %106 = stablehlo.divide %104, %105 : tensor<2x8xf32>
    %107 = stablehlo.dot_general %106, %arg9, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %109 = stablehlo.add %107, %108 : tensor<2x4xf32>
    %110 = call @relu_1(%109) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %111 = stablehlo.dot_general %110, %arg11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %113 = stablehlo.add %111, %112 : tensor<2x8xf32>
    %114 = stablehlo.negate %113 : tensor<2x8xf32>
    %115 = stablehlo.exponential %114 : tensor<2x8xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %117 = stablehlo.add %116, %115 : tensor<2x8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %119 = stablehlo.divide %118, %117 : tensor<2x8xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1x1xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2, 3] : (tensor<2x8x1x1xf32>) -> tensor<2x8x8x8xf32>
    %122 = stablehlo.multiply %103, %121 : tensor<2x8x8x8xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %124 = stablehlo.multiply %123, %80 : tensor<2x8x8x8xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %126 = stablehlo.multiply %125, %122 : tensor<2x8x8x8xf32>
    %127 = stablehlo.add %124, %126 : tensor<2x8x8x8xf32>
    %128 = call @relu_0(%127) : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %129 = stablehlo.slice %128 [0:2, 0:4, 0:8, 0:8] : (tensor<2x8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %130 = stablehlo.slice %128 [0:2, 4:8, 0:8, 0:8] : (tensor<2x8x8x8xf32>) -> tensor<2x4x8x8xf32>
    %131 = stablehlo.concatenate %129, %130, dim = 1 : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x8x8x8xf32>
    %132 = stablehlo.transpose %131, dims = [0, 2, 3, 1] : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.pad %132, %cst_30, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x8x8x8xf32>
    %134 = stablehlo.convolution(%133, %arg13) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<2x4x4x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x4x4x8xf32>
    %136 = stablehlo.add %134, %135 : tensor<2x4x4x8xf32>
    %137 = stablehlo.transpose %136, dims = [0, 3, 1, 2] : (tensor<2x4x4x8xf32>) -> tensor<2x8x4x4xf32>
    %138 = call @relu_0(%131) : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %139 = call @relu_0(%138) : (tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<f32>
    %141 = "stablehlo.reduce_window"(%139, %140) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
      %163 = stablehlo.add %arg17, %arg18 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<2x8x8x8xf32>, tensor<f32>) -> tensor<2x8x4x4xf32>
    %cst_33 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x8x4x4xf32>
    %143 = stablehlo.divide %141, %142 : tensor<2x8x4x4xf32>
    %144 = stablehlo.concatenate %137, %143, dim = 1 : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x16x4x4xf32>
    %cst_34 = stablehlo.constant dense<-6.000000e+00> : tensor<f32>
    %cst_35 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %145 = call @clip(%144, %cst_34, %cst_35) : (tensor<2x16x4x4xf32>, tensor<f32>, tensor<f32>) -> tensor<2x16x4x4xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %146 = stablehlo.reduce(%145 init: %cst_36) applies stablehlo.maximum across dimensions = [2, 3] : (tensor<2x16x4x4xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%145 init: %cst_37) applies stablehlo.add across dimensions = [2, 3] : (tensor<2x16x4x4xf32>, tensor<f32>) -> tensor<2x16xf32>
    %cst_38 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %149 = stablehlo.divide %147, %148 : tensor<2x16xf32>
    %150 = stablehlo.add %146, %149 : tensor<2x16xf32>
    %151 = stablehlo.reshape %150 : (tensor<2x16xf32>) -> tensor<2x8x2xf32>
    %152 = stablehlo.reshape %151 : (tensor<2x8x2xf32>) -> tensor<2x16xf32>
    %153 = stablehlo.dot_general %152, %arg12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<16x10xf32>) -> tensor<2x10xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<2x10xf32>
    %155 = stablehlo.add %153, %154 : tensor<2x10xf32>
    %156 = stablehlo.transpose %145, dims = [0, 2, 3, 1] : (tensor<2x16x4x4xf32>) -> tensor<2x4x4x16xf32>
    %157 = stablehlo.transpose %156, dims = [0, 3, 1, 2] : (tensor<2x4x4x16xf32>) -> tensor<2x16x4x4xf32>
    %158 = stablehlo.transpose %157, dims = [0, 2, 3, 1] : (tensor<2x16x4x4xf32>) -> tensor<2x4x4x16xf32>
    %cst_40 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %159 = stablehlo.reduce(%158 init: %cst_40) applies stablehlo.maximum across dimensions = [1, 2, 3] : (tensor<2x4x4x16xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x16x4x4xf32>
    %161 = stablehlo.compare GT, %145, %160, FLOAT : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xi1>
    %c_42 = stablehlo.constant dense<false> : tensor<i1>
    %162 = stablehlo.reduce(%161 init: %c_42) applies stablehlo.or across dimensions = [0, 2, 3] : (tensor<2x16x4x4xi1>, tensor<i1>) -> tensor<16xi1>
    return %162, %155, %159 : tensor<16xi1>, tensor<2x10xf32>, tensor<2xf32>
  }
  func.func private @_pad(%arg0: tensor<2x3x16x16xf32>, %arg1: tensor<i32>) -> tensor<2x3x18x18xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<2x3x16x16xf32>, tensor<f32>) -> tensor<2x3x18x18xf32>
    return %1 : tensor<2x3x18x18xf32>
  }
  func.func private @relu(%arg0: tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x16x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x8x16x16xf32>
    return %1 : tensor<2x8x16x16xf32>
  }
  func.func private @relu_0(%arg0: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x8x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x8x8x8xf32>
    return %1 : tensor<2x8x8x8xf32>
  }
  func.func private @relu_1(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
  func.func private @clip(%arg0: tensor<2x16x4x4xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x16x4x4xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x16x4x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<2x16x4x4xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x16x4x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<2x16x4x4xf32>
    return %5 : tensor<2x16x4x4xf32>
  }
}
