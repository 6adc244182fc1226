module @jit_image_pipeline attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x24x32x3xui8>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<5x7x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result['brightest']"}, tensor<2xi1> {jax.result_info = "result['clipped']"}, tensor<2x3xf32> {jax.result_info = "result['darkest']"}, tensor<2x3xf32> {jax.result_info = "result['mean']"}, tensor<2x16x16x3xf32> {jax.result_info = "result['normal']"}, tensor<2x24x64x3xui8> {jax.result_info = "result['pair']"}, tensor<2x9x9x3xui8> {jax.result_info = "result['preview']"}, tensor<2xi1> {jax.result_info = "result['valid']"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xf32>
    %cst = stablehlo.constant dense<2.550000e+02> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x24x32x3xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @_pad(%2, %c) : (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x32x40x3xf32>
    %4 = stablehlo.slice %3 [0:2, 4:28, 4:36, 0:3] : (tensor<2x32x40x3xf32>) -> tensor<2x24x32x3xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = call @clip(%4, %cst_0, %cst_1) : (tensor<2x24x32x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x24x32x3xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<2x24x32x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %9 = stablehlo.add %7, %8 : tensor<2x24x32x3xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %11 = stablehlo.power %9, %10 : tensor<2x24x32x3xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<2x24x32x3xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %15 = stablehlo.add %13, %14 : tensor<2x24x32x3xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %17 = stablehlo.power %15, %16 : tensor<2x24x32x3xf32>
    %18 = call @_flip(%11) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %cst_8 = stablehlo.constant dense<1.271800e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<2x24x32x3xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %22 = stablehlo.add %20, %21 : tensor<2x24x32x3xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %24 = stablehlo.power %22, %23 : tensor<2x24x32x3xf32>
    %25 = call @_flip(%24) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %26 = call @_flip_0(%11) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<2x24x32x3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %30 = stablehlo.add %28, %29 : tensor<2x24x32x3xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %32 = stablehlo.power %30, %31 : tensor<2x24x32x3xf32>
    %33 = call @_flip_0(%32) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %34 = call @_flip_0(%11) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %35 = call @_flip(%34) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %cst_14 = stablehlo.constant dense<1.271800e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<2x24x32x3xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %39 = stablehlo.add %37, %38 : tensor<2x24x32x3xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %41 = stablehlo.power %39, %40 : tensor<2x24x32x3xf32>
    %42 = call @_flip_0(%41) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %43 = call @_flip(%42) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %44 = stablehlo.broadcast_in_dim %17, dims = [1, 2, 3, 4] : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %45 = stablehlo.broadcast_in_dim %25, dims = [1, 2, 3, 4] : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %46 = stablehlo.broadcast_in_dim %33, dims = [1, 2, 3, 4] : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %47 = stablehlo.broadcast_in_dim %43, dims = [1, 2, 3, 4] : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %48 = stablehlo.concatenate %44, %45, %46, %47, dim = 0 : (tensor<1x2x24x32x3xf32>, tensor<1x2x24x32x3xf32>, tensor<1x2x24x32x3xf32>, tensor<1x2x24x32x3xf32>) -> tensor<4x2x24x32x3xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_17) applies stablehlo.add across dimensions = [0] : (tensor<4x2x24x32x3xf32>, tensor<f32>) -> tensor<2x24x32x3xf32>
    %cst_18 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %51 = stablehlo.divide %49, %50 : tensor<2x24x32x3xf32>
    %52 = call @_flip_0(%51) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %53 = call @_flip_0(%52) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %54 = call @_pad_1(%53, %c_19) : (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x26x34x3xf32>
    %55 = stablehlo.slice %54 [0:2, 0:24, 0:34, 0:3] : (tensor<2x26x34x3xf32>) -> tensor<2x24x34x3xf32>
    %56 = stablehlo.slice %54 [0:2, 1:25, 0:34, 0:3] : (tensor<2x26x34x3xf32>) -> tensor<2x24x34x3xf32>
    %57 = stablehlo.add %55, %56 : tensor<2x24x34x3xf32>
    %58 = stablehlo.slice %54 [0:2, 2:26, 0:34, 0:3] : (tensor<2x26x34x3xf32>) -> tensor<2x24x34x3xf32>
    %59 = stablehlo.add %57, %58 : tensor<2x24x34x3xf32>
    %cst_20 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x24x34x3xf32>
    %61 = stablehlo.divide %59, %60 : tensor<2x24x34x3xf32>
    %62 = stablehlo.slice %61 [0:2, 0:24, 0:32, 0:3] : (tensor<2x24x34x3xf32>) -> tensor<2x24x32x3xf32>
    %63 = stablehlo.slice %61 [0:2, 0:24, 1:33, 0:3] : (tensor<2x24x34x3xf32>) -> tensor<2x24x32x3xf32>
    %64 = stablehlo.add %62, %63 : tensor<2x24x32x3xf32>
    %65 = stablehlo.slice %61 [0:2, 0:24, 2:34, 0:3] : (tensor<2x24x34x3xf32>) -> tensor<2x24x32x3xf32>
    %66 = stablehlo.add %64, %65 : tensor<2x24x32x3xf32>
    %cst_21 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %68 = stablehlo.divide %66, %67 : tensor<2x24x32x3xf32>
    %69 = call @_flip(%68) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %70 = call @_flip(%69) : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %71 = stablehlo.slice %51 [0:2, 0:12, 0:12, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %72 = stablehlo.slice %51 [0:2, 0:12, 12:24, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %73 = stablehlo.slice %51 [0:2, 0:12, 24:32, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x12x8x3xf32>
    %74 = stablehlo.slice %51 [0:2, 12:24, 0:12, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %75 = stablehlo.slice %51 [0:2, 12:24, 12:24, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %76 = stablehlo.slice %51 [0:2, 12:24, 24:32, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x12x8x3xf32>
    %77 = stablehlo.concatenate %71, %72, %73, dim = 2 : (tensor<2x12x12x3xf32>, tensor<2x12x12x3xf32>, tensor<2x12x8x3xf32>) -> tensor<2x12x32x3xf32>
    %78 = stablehlo.concatenate %74, %75, %76, dim = 2 : (tensor<2x12x12x3xf32>, tensor<2x12x12x3xf32>, tensor<2x12x8x3xf32>) -> tensor<2x12x32x3xf32>
    %79 = stablehlo.concatenate %77, %78, dim = 1 : (tensor<2x12x32x3xf32>, tensor<2x12x32x3xf32>) -> tensor<2x24x32x3xf32>
    %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<2x24x32x3xf32>
    %82 = stablehlo.slice %70 [0:2, 0:8, 0:8, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %83 = stablehlo.slice %70 [0:2, 0:8, 8:16, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %84 = stablehlo.slice %70 [0:2, 0:8, 16:24, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %85 = stablehlo.slice %70 [0:2, 0:8, 24:32, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %86 = stablehlo.slice %70 [0:2, 8:16, 0:8, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %87 = stablehlo.slice %70 [0:2, 8:16, 8:16, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %88 = stablehlo.slice %70 [0:2, 8:16, 16:24, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %89 = stablehlo.slice %70 [0:2, 8:16, 24:32, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %90 = stablehlo.slice %70 [0:2, 16:24, 0:8, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %91 = stablehlo.slice %70 [0:2, 16:24, 8:16, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %92 = stablehlo.slice %70 [0:2, 16:24, 16:24, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %93 = stablehlo.slice %70 [0:2, 16:24, 24:32, 0:3] : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %94 = stablehlo.concatenate %82, %83, %84, %85, dim = 2 : (tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>) -> tensor<2x8x32x3xf32>
    %95 = stablehlo.concatenate %86, %87, %88, %89, dim = 2 : (tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>) -> tensor<2x8x32x3xf32>
    %96 = stablehlo.concatenate %90, %91, %92, %93, dim = 2 : (tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>) -> tensor<2x8x32x3xf32>
    %97 = stablehlo.concatenate %94, %95, %96, dim = 1 : (tensor<2x8x32x3xf32>, tensor<2x8x32x3xf32>, tensor<2x8x32x3xf32>) -> tensor<2x24x32x3xf32>
    %98 = stablehlo.subtract %81, %97 : tensor<2x24x32x3xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %99 = call @_pad_2(%98, %c_23) : (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x32x32x3xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %100 = call @_pad_3(%99, %c_24) : (tensor<2x32x32x3xf32>, tensor<i32>) -> tensor<2x36x36x3xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %101 = call @_pad_4(%100, %c_25) : (tensor<2x36x36x3xf32>, tensor<i32>) -> tensor<2x36x36x3xf32>
    %102 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<5x7x3xf32>) -> tensor<1x5x7x3xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %103 = call @_pad_5(%102, %c_26) : (tensor<1x5x7x3xf32>, tensor<i32>) -> tensor<1x36x36x3xf32>
    %104 = stablehlo.iota dim = 0 : tensor<36x36xi32>
    %105 = stablehlo.iota dim = 1 : tensor<36x36xi32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %106 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i32>) -> tensor<36x36xi32>
    %107 = stablehlo.compare GE, %104, %106, SIGNED : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %c_28 = stablehlo.constant dense<5> : tensor<i32>
    %108 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<36x36xi32>
    %109 = stablehlo.compare LT, %104, %108, SIGNED : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %110 = stablehlo.and %107, %109 : tensor<36x36xi1>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<36x36xi32>
    %112 = stablehlo.compare GE, %105, %111, SIGNED : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %113 = stablehlo.and %110, %112 : tensor<36x36xi1>
    %c_30 = stablehlo.constant dense<7> : tensor<i32>
    %114 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<36x36xi32>
    %115 = stablehlo.compare LT, %105, %114, SIGNED : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %116 = stablehlo.and %113, %115 : tensor<36x36xi1>
    %117 = stablehlo.broadcast_in_dim %116, dims = [1, 2] : (tensor<36x36xi1>) -> tensor<1x36x36x1xi1>
    %118 = call @_where(%117, %103, %101) : (tensor<1x36x36x1xi1>, tensor<1x36x36x3xf32>, tensor<2x36x36x3xf32>) -> tensor<2x36x36x3xf32>
    %119 = stablehlo.slice %118 [0:2, 0:36:2, 0:36:2, 0:3] : (tensor<2x36x36x3xf32>) -> tensor<2x18x18x3xf32>
    %120 = stablehlo.slice %119 [0:2, 0:18:2, 0:18:2, 0:3] : (tensor<2x18x18x3xf32>) -> tensor<2x9x9x3xf32>
    %121 = stablehlo.slice %118 [0:2, 4:32, 4:32, 0:3] : (tensor<2x36x36x3xf32>) -> tensor<2x28x28x3xf32>
    %122 = stablehlo.slice %121 [0:2, 2:18, 2:18, 0:3] : (tensor<2x28x28x3xf32>) -> tensor<2x16x16x3xf32>
    %123 = stablehlo.transpose %122, dims = [0, 2, 1, 3] : (tensor<2x16x16x3xf32>) -> tensor<2x16x16x3xf32>
    %124 = stablehlo.transpose %123, dims = [0, 2, 1, 3] : (tensor<2x16x16x3xf32>) -> tensor<2x16x16x3xf32>
    %125 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2, 3] : (tensor<1x1x1x3xf32>) -> tensor<2x16x16x3xf32>
    %127 = stablehlo.subtract %124, %126 : tensor<2x16x16x3xf32>
    %128 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2, 3] : (tensor<1x1x1x3xf32>) -> tensor<2x16x16x3xf32>
    %130 = stablehlo.divide %127, %129 : tensor<2x16x16x3xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %131 = call @clip_6(%120, %cst_31, %cst_32) : (tensor<2x9x9x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x9x9x3xf32>
    %cst_33 = stablehlo.constant dense<2.550000e+02> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %133 = stablehlo.multiply %131, %132 : tensor<2x9x9x3xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_35 = stablehlo.constant dense<2.550000e+02> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %135 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %136 = stablehlo.clamp %134, %133, %135 : tensor<2x9x9x3xf32>
    %137 = call @round(%136) : (tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
    %138 = stablehlo.convert %137 : (tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xui8>
    %c_36 = stablehlo.constant dense<255> : tensor<ui8>
    %139 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui8>) -> tensor<2x9x9x3xui8>
    %140 = stablehlo.subtract %139, %138 : tensor<2x9x9x3xui8>
    %c_37 = stablehlo.constant dense<255> : tensor<ui8>
    %141 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui8>) -> tensor<2x9x9x3xui8>
    %142 = stablehlo.subtract %141, %140 : tensor<2x9x9x3xui8>
    %143 = stablehlo.slice %arg0 [0:2, 0:24, 0:16, 0:3] : (tensor<2x24x32x3xui8>) -> tensor<2x24x16x3xui8>
    %144 = stablehlo.slice %arg0 [0:2, 0:24, 16:32, 0:3] : (tensor<2x24x32x3xui8>) -> tensor<2x24x16x3xui8>
    %145 = stablehlo.concatenate %143, %144, %arg0, dim = 2 : (tensor<2x24x16x3xui8>, tensor<2x24x16x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x64x3xui8>
    %cst_38 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %146 = stablehlo.reduce(%118 init: %cst_38) applies stablehlo.minimum across dimensions = [1, 2] : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %cst_39 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %147 = stablehlo.reduce(%118 init: %cst_39) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%118 init: %cst_40) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %cst_41 = stablehlo.constant dense<1.296000e+03> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %150 = stablehlo.divide %148, %149 : tensor<2x3xf32>
    %c_42 = stablehlo.constant dense<255> : tensor<ui8>
    %151 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<ui8>) -> tensor<2x24x32x3xui8>
    %152 = stablehlo.compare GE, %arg0, %151, UNSIGNED : (tensor<2x24x32x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xi1>
    %c_43 = stablehlo.constant dense<false> : tensor<i1>
    %153 = stablehlo.reduce(%152 init: %c_43) applies stablehlo.or across dimensions = [1, 2, 3] : (tensor<2x24x32x3xi1>, tensor<i1>) -> tensor<2xi1>
    %c_44 = stablehlo.constant dense<0> : tensor<ui8>
    %154 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui8>) -> tensor<2x24x32x3xui8>
    %155 = stablehlo.compare GE, %arg0, %154, UNSIGNED : (tensor<2x24x32x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xi1>
    %c_45 = stablehlo.constant dense<255> : tensor<ui8>
    %156 = stablehlo.broadcast_in_dim %c_45, dims = [] : (tensor<ui8>) -> tensor<2x24x32x3xui8>
    %157 = stablehlo.compare LE, %arg0, %156, UNSIGNED : (tensor<2x24x32x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xi1>
    %158 = stablehlo.and %155, %157 : tensor<2x24x32x3xi1>
    %c_46 = stablehlo.constant dense<true> : tensor<i1>
    %159 = stablehlo.reduce(%158 init: %c_46) applies stablehlo.and across dimensions = [1, 2, 3] : (tensor<2x24x32x3xi1>, tensor<i1>) -> tensor<2xi1>
    return %147, %153, %146, %150, %130, %145, %142, %159 : tensor<2x3xf32>, tensor<2xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x16x16x3xf32>, tensor<2x24x64x3xui8>, tensor<2x9x9x3xui8>, tensor<2xi1>
  }
  func.func private @_pad(%arg0: tensor<2x24x32x3xf32>, %arg1: tensor<i32>) -> tensor<2x32x40x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 4, 4, 0], high = [0, 4, 4, 0], interior = [0, 0, 0, 0] : (tensor<2x24x32x3xf32>, tensor<f32>) -> tensor<2x32x40x3xf32>
    return %1 : tensor<2x32x40x3xf32>
  }
  func.func private @clip(%arg0: tensor<2x24x32x3xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x24x32x3xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<2x24x32x3xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<2x24x32x3xf32>
    return %5 : tensor<2x24x32x3xf32>
  }
  func.func private @_flip(%arg0: tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<2x24x32x3xf32>
    return %0 : tensor<2x24x32x3xf32>
  }
  func.func private @_flip_0(%arg0: tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [2] : tensor<2x24x32x3xf32>
    return %0 : tensor<2x24x32x3xf32>
  }
  func.func private @_pad_1(%arg0: tensor<2x24x32x3xf32>, %arg1: tensor<i32>) -> tensor<2x26x34x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1, 1, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<2x24x32x3xf32>, tensor<f32>) -> tensor<2x26x34x3xf32>
    return %1 : tensor<2x26x34x3xf32>
  }
  func.func private @_pad_2(%arg0: tensor<2x24x32x3xf32>, %arg1: tensor<i32>) -> tensor<2x32x32x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 4, 0, 0], high = [0, 4, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x24x32x3xf32>, tensor<f32>) -> tensor<2x32x32x3xf32>
    return %1 : tensor<2x32x32x3xf32>
  }
  func.func private @_pad_3(%arg0: tensor<2x32x32x3xf32>, %arg1: tensor<i32>) -> tensor<2x36x36x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 2, 2, 0], high = [0, 2, 2, 0], interior = [0, 0, 0, 0] : (tensor<2x32x32x3xf32>, tensor<f32>) -> tensor<2x36x36x3xf32>
    return %1 : tensor<2x36x36x3xf32>
  }
  func.func private @_pad_4(%arg0: tensor<2x36x36x3xf32>, %arg1: tensor<i32>) -> tensor<2x36x36x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x36x36x3xf32>
    return %1 : tensor<2x36x36x3xf32>
  }
  func.func private @_pad_5(%arg0: tensor<1x5x7x3xf32>, %arg1: tensor<i32>) -> tensor<1x36x36x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0, 0], high = [0, 31, 29, 0], interior = [0, 0, 0, 0] : (tensor<1x5x7x3xf32>, tensor<f32>) -> tensor<1x36x36x3xf32>
    return %1 : tensor<1x36x36x3xf32>
  }
  func.func private @_where(%arg0: tensor<1x36x36x1xi1>, %arg1: tensor<1x36x36x3xf32>, %arg2: tensor<2x36x36x3xf32>) -> tensor<2x36x36x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x36x36x1xi1>) -> tensor<2x36x36x3xi1>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 3] : (tensor<1x36x36x3xf32>) -> tensor<2x36x36x3xf32>
    %2 = stablehlo.select %0, %1, %arg2 : tensor<2x36x36x3xi1>, tensor<2x36x36x3xf32>
    return %2 : tensor<2x36x36x3xf32>
  }
  func.func private @clip_6(%arg0: tensor<2x9x9x3xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x9x9x3xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<2x9x9x3xf32>
    %3 = stablehlo.convert %arg2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<2x9x9x3xf32>
    return %5 : tensor<2x9x9x3xf32>
  }
  func.func private @round(%arg0: tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<2x9x9x3xf32>
    return %0 : tensor<2x9x9x3xf32>
  }
}
