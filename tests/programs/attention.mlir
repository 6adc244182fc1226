module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<32x96xf32>, %arg3: tensor<96xf32>, %arg4: tensor<2x12x32xf32>, %arg5: tensor<2xi32>) -> (tensor<2x4x12xf32> {jax.result_info = "result['entropy']"}, tensor<2xi32> {jax.result_info = "result['reach']"}, tensor<2x4x12x12xf32> {jax.result_info = "result['weights']"}, tensor<2x12x32xf32> {jax.result_info = "result['y']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg4 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x12x32xf32>, tensor<f32>) -> tensor<2x12xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<2x12xf32>) -> tensor<2x12x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<2x12x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x32xf32>
    %5 = stablehlo.subtract %arg4, %4 : tensor<2x12x32xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<2x12x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x12x32xf32>, tensor<f32>) -> tensor<2x12xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x12xf32>) -> tensor<2x12x1xf32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<2x12x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x12x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<2x12x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<2x12x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x12x1xf32>) -> tensor<2x12x32xf32>
    %15 = stablehlo.multiply %5, %14 : tensor<2x12x32xf32>
    %16 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<2x12x32xf32>
    %18 = stablehlo.multiply %15, %17 : tensor<2x12x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %20 = stablehlo.add %18, %19 : tensor<2x12x32xf32>
    %21 = stablehlo.dot_general %20, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x32xf32>, tensor<32x96xf32>) -> tensor<2x12x96xf32>
    %22 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<96xf32>) -> tensor<1x1x96xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<1x1x96xf32>) -> tensor<2x12x96xf32>
    %24 = stablehlo.add %21, %23 : tensor<2x12x96xf32>
    %25 = stablehlo.slice %24 [0:2, 0:12, 0:32] : (tensor<2x12x96xf32>) -> tensor<2x12x32xf32>
    %26 = stablehlo.slice %24 [0:2, 0:12, 32:64] : (tensor<2x12x96xf32>) -> tensor<2x12x32xf32>
    %27 = stablehlo.slice %24 [0:2, 0:12, 64:96] : (tensor<2x12x96xf32>) -> tensor<2x12x32xf32>
    %28 = stablehlo.concatenate %26, %27, dim = 2 : (tensor<2x12x32xf32>, tensor<2x12x32xf32>) -> tensor<2x12x64xf32>
    %29 = stablehlo.slice %28 [0:2, 0:12, 0:32] : (tensor<2x12x64xf32>) -> tensor<2x12x32xf32>
    %30 = stablehlo.slice %28 [0:2, 0:12, 32:64] : (tensor<2x12x64xf32>) -> tensor<2x12x32xf32>
    %31 = stablehlo.slice %25 [0:2, 0:12, 0:8] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %32 = stablehlo.slice %25 [0:2, 0:12, 8:16] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %33 = stablehlo.slice %25 [0:2, 0:12, 16:24] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %34 = stablehlo.slice %25 [0:2, 0:12, 24:32] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %35 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %36 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %37 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %38 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %39 = stablehlo.concatenate %35, %36, %37, %38, dim = 2 : (tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>) -> tensor<2x12x4x8xf32>
    %40 = stablehlo.slice %29 [0:2, 0:12, 0:8] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %41 = stablehlo.slice %29 [0:2, 0:12, 8:16] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %42 = stablehlo.slice %29 [0:2, 0:12, 16:24] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %43 = stablehlo.slice %29 [0:2, 0:12, 24:32] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %44 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %45 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %46 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %47 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %48 = stablehlo.concatenate %44, %45, %46, %47, dim = 2 : (tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>) -> tensor<2x12x4x8xf32>
    %49 = stablehlo.slice %30 [0:2, 0:12, 0:8] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %50 = stablehlo.slice %30 [0:2, 0:12, 8:16] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %51 = stablehlo.slice %30 [0:2, 0:12, 16:24] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %52 = stablehlo.slice %30 [0:2, 0:12, 24:32] : (tensor<2x12x32xf32>) -> tensor<2x12x8xf32>
    %53 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %54 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %55 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %56 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 3] : (tensor<2x12x8xf32>) -> tensor<2x12x1x8xf32>
    %57 = stablehlo.concatenate %53, %54, %55, %56, dim = 2 : (tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>, tensor<2x12x1x8xf32>) -> tensor<2x12x4x8xf32>
    %58 = stablehlo.iota dim = 0 : tensor<12xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %60 = stablehlo.add %58, %59 : tensor<12xi32>
    %61 = stablehlo.convert %60 : (tensor<12xi32>) -> tensor<12xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<12xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %65 = stablehlo.add %63, %64 : tensor<12xf32>
    %66 = stablehlo.iota dim = 0 : tensor<4xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %68 = stablehlo.multiply %67, %66 : tensor<4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %70 = stablehlo.add %69, %68 : tensor<4xf32>
    %71 = stablehlo.negate %70 : tensor<4xf32>
    %cst_9 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %73 = stablehlo.divide %71, %72 : tensor<4xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %75 = stablehlo.power %74, %73 : tensor<4xf32>
    %76 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %77 = stablehlo.broadcast_in_dim %75, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %78 = stablehlo.broadcast_in_dim %76, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x4xf32>
    %79 = stablehlo.broadcast_in_dim %77, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<12x4xf32>
    %80 = stablehlo.multiply %78, %79 : tensor<12x4xf32>
    %81 = stablehlo.concatenate %80, %80, dim = 1 : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x8xf32>
    %82 = stablehlo.cosine %81 : tensor<12x8xf32>
    %83 = stablehlo.sine %81 : tensor<12x8xf32>
    %84 = stablehlo.slice %39 [0:2, 0:12, 0:4, 8:8] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x0xf32>
    %85 = stablehlo.broadcast_in_dim %82, dims = [1, 3] : (tensor<12x8xf32>) -> tensor<1x12x1x8xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2, 3] : (tensor<1x12x1x8xf32>) -> tensor<2x12x4x8xf32>
    %87 = stablehlo.multiply %39, %86 : tensor<2x12x4x8xf32>
    %88 = stablehlo.slice %39 [0:2, 0:12, 0:4, 4:8] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %89 = stablehlo.negate %88 : tensor<2x12x4x4xf32>
    %90 = stablehlo.slice %39 [0:2, 0:12, 0:4, 0:4] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %91 = stablehlo.concatenate %89, %90, dim = 3 : (tensor<2x12x4x4xf32>, tensor<2x12x4x4xf32>) -> tensor<2x12x4x8xf32>
    %92 = stablehlo.broadcast_in_dim %83, dims = [1, 3] : (tensor<12x8xf32>) -> tensor<1x12x1x8xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<1x12x1x8xf32>) -> tensor<2x12x4x8xf32>
    %94 = stablehlo.multiply %91, %93 : tensor<2x12x4x8xf32>
    %95 = stablehlo.add %87, %94 : tensor<2x12x4x8xf32>
    %96 = stablehlo.concatenate %95, %84, dim = 3 : (tensor<2x12x4x8xf32>, tensor<2x12x4x0xf32>) -> tensor<2x12x4x8xf32>
    %97 = stablehlo.slice %48 [0:2, 0:12, 0:4, 8:8] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x0xf32>
    %98 = stablehlo.broadcast_in_dim %82, dims = [1, 3] : (tensor<12x8xf32>) -> tensor<1x12x1x8xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2, 3] : (tensor<1x12x1x8xf32>) -> tensor<2x12x4x8xf32>
    %100 = stablehlo.multiply %48, %99 : tensor<2x12x4x8xf32>
    %101 = stablehlo.slice %48 [0:2, 0:12, 0:4, 4:8] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %102 = stablehlo.negate %101 : tensor<2x12x4x4xf32>
    %103 = stablehlo.slice %48 [0:2, 0:12, 0:4, 0:4] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %104 = stablehlo.concatenate %102, %103, dim = 3 : (tensor<2x12x4x4xf32>, tensor<2x12x4x4xf32>) -> tensor<2x12x4x8xf32>
    %105 = stablehlo.broadcast_in_dim %83, dims = [1, 3] : (tensor<12x8xf32>) -> tensor<1x12x1x8xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<1x12x1x8xf32>) -> tensor<2x12x4x8xf32>
    %107 = stablehlo.multiply %104, %106 : tensor<2x12x4x8xf32>
    %108 = stablehlo.add %100, %107 : tensor<2x12x4x8xf32>
    %109 = stablehlo.concatenate %108, %97, dim = 3 : (tensor<2x12x4x8xf32>, tensor<2x12x4x0xf32>) -> tensor<2x12x4x8xf32>
    %110 = stablehlo.iota dim = 0 : tensor<12xi32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %111 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %112 = stablehlo.add %110, %111 : tensor<12xi32>
    %113 = stablehlo.convert %112 : (tensor<12xi32>) -> tensor<12xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %115 = stablehlo.multiply %113, %114 : tensor<12xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %117 = stablehlo.add %115, %116 : tensor<12xf32>
    %118 = stablehlo.iota dim = 0 : tensor<2xf32>
    %cst_14 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<2xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %122 = stablehlo.add %121, %120 : tensor<2xf32>
    %123 = stablehlo.negate %122 : tensor<2xf32>
    %cst_16 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %125 = stablehlo.divide %123, %124 : tensor<2xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %127 = stablehlo.power %126, %125 : tensor<2xf32>
    %128 = stablehlo.broadcast_in_dim %117, dims = [0] : (tensor<12xf32>) -> tensor<12x1xf32>
    %129 = stablehlo.broadcast_in_dim %127, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %130 = stablehlo.broadcast_in_dim %128, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x2xf32>
    %131 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<12x2xf32>
    %132 = stablehlo.multiply %130, %131 : tensor<12x2xf32>
    %133 = stablehlo.concatenate %132, %132, dim = 1 : (tensor<12x2xf32>, tensor<12x2xf32>) -> tensor<12x4xf32>
    %134 = stablehlo.cosine %133 : tensor<12x4xf32>
    %135 = stablehlo.sine %133 : tensor<12x4xf32>
    %136 = stablehlo.slice %96 [0:2, 0:12, 0:4, 0:4] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %137 = stablehlo.slice %96 [0:2, 0:12, 0:4, 4:8] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %138 = stablehlo.broadcast_in_dim %134, dims = [1, 3] : (tensor<12x4xf32>) -> tensor<1x12x1x4xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<2x12x4x4xf32>
    %140 = stablehlo.multiply %136, %139 : tensor<2x12x4x4xf32>
    %141 = stablehlo.slice %136 [0:2, 0:12, 0:4, 2:4] : (tensor<2x12x4x4xf32>) -> tensor<2x12x4x2xf32>
    %142 = stablehlo.negate %141 : tensor<2x12x4x2xf32>
    %143 = stablehlo.slice %136 [0:2, 0:12, 0:4, 0:2] : (tensor<2x12x4x4xf32>) -> tensor<2x12x4x2xf32>
    %144 = stablehlo.concatenate %142, %143, dim = 3 : (tensor<2x12x4x2xf32>, tensor<2x12x4x2xf32>) -> tensor<2x12x4x4xf32>
    %145 = stablehlo.broadcast_in_dim %135, dims = [1, 3] : (tensor<12x4xf32>) -> tensor<1x12x1x4xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<2x12x4x4xf32>
    %147 = stablehlo.multiply %144, %146 : tensor<2x12x4x4xf32>
    %148 = stablehlo.add %140, %147 : tensor<2x12x4x4xf32>
    %149 = stablehlo.concatenate %148, %137, dim = 3 : (tensor<2x12x4x4xf32>, tensor<2x12x4x4xf32>) -> tensor<2x12x4x8xf32>
    %150 = stablehlo.negate %135 : tensor<12x4xf32>
    %151 = stablehlo.slice %149 [0:2, 0:12, 0:4, 0:4] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %152 = stablehlo.slice %149 [0:2, 0:12, 0:4, 4:8] : (tensor<2x12x4x8xf32>) -> tensor<2x12x4x4xf32>
    %153 = stablehlo.broadcast_in_dim %134, dims = [1, 3] : (tensor<12x4xf32>) -> tensor<1x12x1x4xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<2x12x4x4xf32>
    %155 = stablehlo.multiply %151, %154 : tensor<2x12x4x4xf32>
    %156 = stablehlo.slice %151 [0:2, 0:12, 0:4, 2:4] : (tensor<2x12x4x4xf32>) -> tensor<2x12x4x2xf32>
    %157 = stablehlo.negate %156 : tensor<2x12x4x2xf32>
    %158 = stablehlo.slice %151 [0:2, 0:12, 0:4, 0:2] : (tensor<2x12x4x4xf32>) -> tensor<2x12x4x2xf32>
    %159 = stablehlo.concatenate %157, %158, dim = 3 : (tensor<2x12x4x2xf32>, tensor<2x12x4x2xf32>) -> tensor<2x12x4x4xf32>
    %160 = stablehlo.broadcast_in_dim %150, dims = [1, 3] : (tensor<12x4xf32>) -> tensor<1x12x1x4xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<2x12x4x4xf32>
    %162 = stablehlo.multiply %159, %161 : tensor<2x12x4x4xf32>
    %163 = stablehlo.add %155, %162 : tensor<2x12x4x4xf32>
    %164 = stablehlo.concatenate %163, %152, dim = 3 : (tensor<2x12x4x4xf32>, tensor<2x12x4x4xf32>) -> tensor<2x12x4x8xf32>
    %165 = stablehlo.transpose %164, dims = [0, 2, 1, 3] : (tensor<2x12x4x8xf32>) -> tensor<2x4x12x8xf32>
    %166 = stablehlo.transpose %109, dims = [0, 2, 1, 3] : (tensor<2x12x4x8xf32>) -> tensor<2x4x12x8xf32>
    %167 = stablehlo.transpose %166, dims = [0, 1, 3, 2] : (tensor<2x4x12x8xf32>) -> tensor<2x4x8x12xf32>
    %168 = stablehlo.transpose %57, dims = [0, 2, 1, 3] : (tensor<2x12x4x8xf32>) -> tensor<2x4x12x8xf32>
    %169 = stablehlo.dot_general %165, %167, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x12x8xf32>, tensor<2x4x8x12xf32>) -> tensor<2x4x12x12xf32>
    %cst_18 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %171 = stablehlo.multiply %169, %170 : tensor<2x4x12x12xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %173 = stablehlo.add %171, %172 : tensor<2x4x12x12xf32>
    %174 = stablehlo.iota dim = 0 : tensor<12x12xi32>
    %175 = stablehlo.iota dim = 1 : tensor<12x12xi32>
    %176 = stablehlo.compare GE, %174, %175, SIGNED : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %177 = stablehlo.subtract %174, %175 : tensor<12x12xi32>
    %c_20 = stablehlo.constant dense<12> : tensor<i32>
    %178 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<12x12xi32>
    %179 = stablehlo.compare LT, %177, %178, SIGNED : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %180 = stablehlo.and %176, %179 : tensor<12x12xi1>
    %181 = stablehlo.broadcast_in_dim %180, dims = [2, 3] : (tensor<12x12xi1>) -> tensor<1x1x12x12xi1>
    %182 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2, 3] : (tensor<1x1x12x12xi1>) -> tensor<2x4x12x12xi1>
    %183 = stablehlo.iota dim = 0 : tensor<12xi32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [1] : (tensor<12xi32>) -> tensor<1x12xi32>
    %185 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %186 = stablehlo.broadcast_in_dim %184, dims = [0, 1] : (tensor<1x12xi32>) -> tensor<2x12xi32>
    %187 = stablehlo.broadcast_in_dim %185, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x12xi32>
    %188 = stablehlo.compare LT, %186, %187, SIGNED : (tensor<2x12xi32>, tensor<2x12xi32>) -> tensor<2x12xi1>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 3] : (tensor<2x12xi1>) -> tensor<2x1x1x12xi1>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2, 3] : (tensor<2x1x1x12xi1>) -> tensor<2x4x12x12xi1>
    %191 = stablehlo.and %182, %190 : tensor<2x4x12x12xi1>
    %192 = stablehlo.iota dim = 0 : tensor<12x12xi32>
    %193 = stablehlo.iota dim = 1 : tensor<12x12xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %194 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<12x12xi32>
    %195 = stablehlo.add %192, %194 : tensor<12x12xi32>
    %196 = stablehlo.compare EQ, %195, %193, SIGNED : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %197 = stablehlo.broadcast_in_dim %196, dims = [2, 3] : (tensor<12x12xi1>) -> tensor<1x1x12x12xi1>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2, 3] : (tensor<1x1x12x12xi1>) -> tensor<2x4x12x12xi1>
    %199 = stablehlo.or %191, %198 : tensor<2x4x12x12xi1>
    %cst_22 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %200 = call @_where(%199, %173, %cst_22) : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12x12xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %202 = stablehlo.divide %200, %201 : tensor<2x4x12x12xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %203 = stablehlo.reduce(%202 init: %cst_24) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12xf32>
    %204 = stablehlo.broadcast_in_dim %203, dims = [0, 1, 2] : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1, 2, 3] : (tensor<2x4x12x1xf32>) -> tensor<2x4x12x12xf32>
    %206 = stablehlo.subtract %202, %205 : tensor<2x4x12x12xf32>
    %207 = stablehlo.exponential %206 : tensor<2x4x12x12xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.reduce(%207 init: %cst_25) applies stablehlo.add across dimensions = [3] : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2] : (tensor<2x4x12xf32>) -> tensor<2x4x12x1xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3] : (tensor<2x4x12x1xf32>) -> tensor<2x4x12x12xf32>
    %211 = stablehlo.divide %207, %210 : tensor<2x4x12x12xf32>
    %c_26 = stablehlo.constant dense<true> : tensor<i1>
    %212 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i1>) -> tensor<2x4x12x12xi1>
    %c_27 = stablehlo.constant dense<true> : tensor<i1>
    %213 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i1>) -> tensor<2x4x12x12xi1>
    %214 = stablehlo.or %212, %213 : tensor<2x4x12x12xi1>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %216 = stablehlo.divide %211, %215 : tensor<2x4x12x12xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %217 = call @_where(%214, %216, %cst_29) : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12x12xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = call @_where(%199, %217, %cst_30) : (tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12x12xf32>
    %219 = stablehlo.dot_general %218, %168, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x4x12x12xf32>, tensor<2x4x12x8xf32>) -> tensor<2x4x12x8xf32>
    %220 = stablehlo.transpose %219, dims = [0, 2, 1, 3] : (tensor<2x4x12x8xf32>) -> tensor<2x12x4x8xf32>
    %221 = stablehlo.reshape %220 : (tensor<2x12x4x8xf32>) -> tensor<2x12x32xf32>
    %222 = stablehlo.dot_general %221, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12x32xf32>, tensor<32x32xf32>) -> tensor<2x12x32xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %224 = stablehlo.add %222, %223 : tensor<2x12x32xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %226 = stablehlo.multiply %225, %arg4 : tensor<2x12x32xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x12x32xf32>
    %228 = stablehlo.multiply %227, %224 : tensor<2x12x32xf32>
    %229 = stablehlo.add %226, %228 : tensor<2x12x32xf32>
    %230 = stablehlo.transpose %218, dims = [0, 2, 1, 3] : (tensor<2x4x12x12xf32>) -> tensor<2x12x4x12xf32>
    %231 = stablehlo.transpose %230, dims = [0, 2, 1, 3] : (tensor<2x12x4x12xf32>) -> tensor<2x4x12x12xf32>
    %cst_34 = stablehlo.constant dense<9.99999971E-10> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %233 = stablehlo.add %218, %232 : tensor<2x4x12x12xf32>
    %234 = stablehlo.log %233 : tensor<2x4x12x12xf32>
    %235 = stablehlo.multiply %218, %234 : tensor<2x4x12x12xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.reduce(%235 init: %cst_35) applies stablehlo.add across dimensions = [3] : (tensor<2x4x12x12xf32>, tensor<f32>) -> tensor<2x4x12xf32>
    %237 = stablehlo.negate %236 : tensor<2x4x12xf32>
    %238 = stablehlo.convert %199 : (tensor<2x4x12x12xi1>) -> tensor<2x4x12x12xi32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %239 = stablehlo.reduce(%238 init: %c_36) applies stablehlo.add across dimensions = [1, 2, 3] : (tensor<2x4x12x12xi32>, tensor<i32>) -> tensor<2xi32>
    return %237, %239, %231, %229 : tensor<2x4x12xf32>, tensor<2xi32>, tensor<2x4x12x12xf32>, tensor<2x12x32xf32>
  }
  func.func private @_where(%arg0: tensor<2x4x12x12xi1>, %arg1: tensor<2x4x12x12xf32>, %arg2: tensor<f32>) -> tensor<2x4x12x12xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x12x12xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x4x12x12xi1>, tensor<2x4x12x12xf32>
    return %2 : tensor<2x4x12x12xf32>
  }
}
