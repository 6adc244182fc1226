module @jit_mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32>, %arg1: tensor<32x48xf32>, %arg2: tensor<32xf32>, %arg3: tensor<48x32xf32>, %arg4: tensor<48xf32>, %arg5: tensor<32x48xf32>, %arg6: tensor<32xf32>, %arg7: tensor<48x32xf32>, %arg8: tensor<48xf32>, %arg9: tensor<32x48xf32>, %arg10: tensor<32xf32>, %arg11: tensor<48x32xf32>, %arg12: tensor<48xf32>, %arg13: tensor<32xf32>, %arg14: tensor<32xf32>, %arg15: tensor<32xf32>, %arg16: tensor<32xf32>, %arg17: tensor<32x32xbf16>, %arg18: tensor<32x10xbf16>, %arg19: tensor<8x32xf32>, %arg20: tensor<16x8xf32>) -> (tensor<i1> {jax.result_info = "result['any_missing']"}, tensor<i1> {jax.result_info = "result['finite']"}, tensor<16xi32> {jax.result_info = "result['label']"}, tensor<f32> {jax.result_info = "result['loss']"}, tensor<16x10xf32> {jax.result_info = "result['probs']"}, tensor<16x10xbf16> {jax.result_info = "result['stored']"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<[5.000000e-01, 1.000000e+00, 2.000000e+00, 1.000000e+00, 2.500000e-01, 1.000000e+00, 4.000000e+00, 1.000000e+00]> : tensor<8xf32>
    %cst_1 = stablehlo.constant dense<[-2.70805025, -2.60268974, -2.50737953, -2.42036819, -2.34032536, -2.26621747, -2.19722462, -2.13268614, -2.07206154, -2.01490307]> : tensor<10xf32>
    %0 = stablehlo.convert %arg17 : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %1 = stablehlo.convert %arg18 : (tensor<32x10xbf16>) -> tensor<32x10xf32>
    %2 = stablehlo.convert %0 : (tensor<32x32xf32>) -> tensor<32x32xbf16>
    %3 = stablehlo.convert %1 : (tensor<32x10xf32>) -> tensor<32x10xbf16>
    %4 = stablehlo.convert %2 : (tensor<32x32xbf16>) -> tensor<32x32xf32>
    %5 = stablehlo.convert %3 : (tensor<32x10xbf16>) -> tensor<32x10xf32>
    %6 = stablehlo.convert %arg20 : (tensor<16x8xf32>) -> tensor<16x8xf16>
    %7 = stablehlo.convert %6 : (tensor<16x8xf16>) -> tensor<16x8xf32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<16x8xf32>
    %10 = stablehlo.subtract %7, %9 : tensor<16x8xf32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<16x8xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<16x8xf32>
    %14 = stablehlo.slice %13 [0:16, 0:5] : (tensor<16x8xf32>) -> tensor<16x5xf32>
    %15 = stablehlo.slice %13 [0:16, 5:8] : (tensor<16x8xf32>) -> tensor<16x3xf32>
    %16 = stablehlo.concatenate %14, %15, dim = 1 : (tensor<16x5xf32>, tensor<16x3xf32>) -> tensor<16x8xf32>
    %17 = stablehlo.compare NE, %16, %16, FLOAT : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<16x8xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = call @_where(%17, %cst_2, %16) : (tensor<16x8xi1>, tensor<f32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %19 = stablehlo.dot_general %18, %arg19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x8xf32>, tensor<8x32xf32>) -> tensor<16x32xf32>
    %20 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %22 = stablehlo.add %19, %21 : tensor<16x32xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %24 = stablehlo.multiply %23, %arg15 : tensor<32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%22 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_5 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %27 = stablehlo.divide %25, %26 : tensor<32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<32xf32>
    %30 = stablehlo.add %24, %29 : tensor<32xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %32 = stablehlo.maximum %arg16, %31 : tensor<32xf32>
    %33 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %35 = stablehlo.subtract %22, %34 : tensor<16x32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %37 = stablehlo.add %32, %36 : tensor<32xf32>
    %38 = stablehlo.rsqrt %37 : tensor<32xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %41 = stablehlo.multiply %35, %40 : tensor<16x32xf32>
    %42 = stablehlo.broadcast_in_dim %arg14, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %44 = stablehlo.multiply %41, %43 : tensor<16x32xf32>
    %45 = stablehlo.broadcast_in_dim %arg13, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %47 = stablehlo.add %44, %46 : tensor<16x32xf32>
    %48 = call @relu(%47) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %49 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x32xi1>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %50 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<16x32xi1>
    %51 = stablehlo.or %49, %50 : tensor<16x32xi1>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %53 = stablehlo.divide %48, %52 : tensor<16x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = call @_where_0(%51, %53, %cst_11) : (tensor<16x32xi1>, tensor<16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_13 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %58 = stablehlo.divide %56, %57 : tensor<16x1xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %60 = stablehlo.subtract %54, %59 : tensor<16x32xf32>
    %61 = stablehlo.multiply %60, %60 : tensor<16x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_14) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_15 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %65 = stablehlo.divide %63, %64 : tensor<16x1xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %67 = stablehlo.add %65, %66 : tensor<16x1xf32>
    %68 = stablehlo.rsqrt %67 : tensor<16x1xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %70 = stablehlo.multiply %60, %69 : tensor<16x32xf32>
    %71 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %73 = stablehlo.multiply %70, %72 : tensor<16x32xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %75 = stablehlo.add %73, %74 : tensor<16x32xf32>
    %76 = stablehlo.transpose %arg3, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %77 = stablehlo.dot_general %75, %76, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x48xf32>) -> tensor<16x48xf32>
    %78 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<1x48xf32>) -> tensor<16x48xf32>
    %80 = stablehlo.add %77, %79 : tensor<16x48xf32>
    %81 = stablehlo.multiply %80, %80 : tensor<16x48xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<16x48xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<16x48xf32>
    %85 = stablehlo.add %80, %84 : tensor<16x48xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<16x48xf32>
    %88 = stablehlo.tanh %87 : tensor<16x48xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %90 = stablehlo.add %89, %88 : tensor<16x48xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<16x48xf32>
    %93 = stablehlo.multiply %80, %92 : tensor<16x48xf32>
    %c_22 = stablehlo.constant dense<true> : tensor<i1>
    %94 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i1>) -> tensor<16x48xi1>
    %c_23 = stablehlo.constant dense<true> : tensor<i1>
    %95 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i1>) -> tensor<16x48xi1>
    %96 = stablehlo.or %94, %95 : tensor<16x48xi1>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %98 = stablehlo.divide %93, %97 : tensor<16x48xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = call @_where_1(%96, %98, %cst_25) : (tensor<16x48xi1>, tensor<16x48xf32>, tensor<f32>) -> tensor<16x48xf32>
    %100 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<32x48xf32>) -> tensor<48x32xf32>
    %101 = stablehlo.transpose %100, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %102 = stablehlo.transpose %101, dims = [1, 0] : (tensor<32x48xf32>) -> tensor<48x32xf32>
    %103 = stablehlo.dot_general %99, %102, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x48xf32>, tensor<48x32xf32>) -> tensor<16x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %105 = stablehlo.multiply %104, %54 : tensor<16x32xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %107 = stablehlo.multiply %106, %103 : tensor<16x32xf32>
    %108 = stablehlo.add %105, %107 : tensor<16x32xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%108 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_29 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %112 = stablehlo.divide %110, %111 : tensor<16x1xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %114 = stablehlo.subtract %108, %113 : tensor<16x32xf32>
    %115 = stablehlo.multiply %114, %114 : tensor<16x32xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_30) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_31 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %119 = stablehlo.divide %117, %118 : tensor<16x1xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %121 = stablehlo.add %119, %120 : tensor<16x1xf32>
    %122 = stablehlo.rsqrt %121 : tensor<16x1xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %124 = stablehlo.multiply %114, %123 : tensor<16x32xf32>
    %125 = stablehlo.broadcast_in_dim %arg6, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %127 = stablehlo.multiply %124, %126 : tensor<16x32xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %129 = stablehlo.add %127, %128 : tensor<16x32xf32>
    %130 = stablehlo.transpose %arg7, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %131 = stablehlo.dot_general %129, %130, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x48xf32>) -> tensor<16x48xf32>
    %132 = stablehlo.broadcast_in_dim %arg8, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<1x48xf32>) -> tensor<16x48xf32>
    %134 = stablehlo.add %131, %133 : tensor<16x48xf32>
    %135 = stablehlo.multiply %134, %134 : tensor<16x48xf32>
    %136 = stablehlo.multiply %135, %134 : tensor<16x48xf32>
    %cst_34 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %138 = stablehlo.multiply %137, %136 : tensor<16x48xf32>
    %139 = stablehlo.add %134, %138 : tensor<16x48xf32>
    %cst_35 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %141 = stablehlo.multiply %140, %139 : tensor<16x48xf32>
    %142 = stablehlo.tanh %141 : tensor<16x48xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %144 = stablehlo.add %143, %142 : tensor<16x48xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %146 = stablehlo.multiply %145, %144 : tensor<16x48xf32>
    %147 = stablehlo.multiply %134, %146 : tensor<16x48xf32>
    %c_38 = stablehlo.constant dense<true> : tensor<i1>
    %148 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i1>) -> tensor<16x48xi1>
    %c_39 = stablehlo.constant dense<true> : tensor<i1>
    %149 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i1>) -> tensor<16x48xi1>
    %150 = stablehlo.or %148, %149 : tensor<16x48xi1>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %152 = stablehlo.divide %147, %151 : tensor<16x48xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = call @_where_1(%150, %152, %cst_41) : (tensor<16x48xi1>, tensor<16x48xf32>, tensor<f32>) -> tensor<16x48xf32>
    %154 = stablehlo.transpose %arg5, dims = [1, 0] : (tensor<32x48xf32>) -> tensor<48x32xf32>
    %155 = stablehlo.transpose %154, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %156 = stablehlo.transpose %155, dims = [1, 0] : (tensor<32x48xf32>) -> tensor<48x32xf32>
    %157 = stablehlo.dot_general %153, %156, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x48xf32>, tensor<48x32xf32>) -> tensor<16x32xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %159 = stablehlo.multiply %158, %108 : tensor<16x32xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %161 = stablehlo.multiply %160, %157 : tensor<16x32xf32>
    %162 = stablehlo.add %159, %161 : tensor<16x32xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.reduce(%162 init: %cst_44) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_45 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %166 = stablehlo.divide %164, %165 : tensor<16x1xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %168 = stablehlo.subtract %162, %167 : tensor<16x32xf32>
    %169 = stablehlo.multiply %168, %168 : tensor<16x32xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.reduce(%169 init: %cst_46) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_47 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %173 = stablehlo.divide %171, %172 : tensor<16x1xf32>
    %cst_48 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %175 = stablehlo.add %173, %174 : tensor<16x1xf32>
    %176 = stablehlo.rsqrt %175 : tensor<16x1xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %178 = stablehlo.multiply %168, %177 : tensor<16x32xf32>
    %179 = stablehlo.broadcast_in_dim %arg10, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<16x32xf32>
    %181 = stablehlo.multiply %178, %180 : tensor<16x32xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %183 = stablehlo.add %181, %182 : tensor<16x32xf32>
    %184 = stablehlo.transpose %arg11, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %185 = stablehlo.dot_general %183, %184, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x48xf32>) -> tensor<16x48xf32>
    %186 = stablehlo.broadcast_in_dim %arg12, dims = [1] : (tensor<48xf32>) -> tensor<1x48xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1] : (tensor<1x48xf32>) -> tensor<16x48xf32>
    %188 = stablehlo.add %185, %187 : tensor<16x48xf32>
    %189 = stablehlo.multiply %188, %188 : tensor<16x48xf32>
    %190 = stablehlo.multiply %189, %188 : tensor<16x48xf32>
    %cst_50 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %192 = stablehlo.multiply %191, %190 : tensor<16x48xf32>
    %193 = stablehlo.add %188, %192 : tensor<16x48xf32>
    %cst_51 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %195 = stablehlo.multiply %194, %193 : tensor<16x48xf32>
    %196 = stablehlo.tanh %195 : tensor<16x48xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %198 = stablehlo.add %197, %196 : tensor<16x48xf32>
    %cst_53 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %200 = stablehlo.multiply %199, %198 : tensor<16x48xf32>
    %201 = stablehlo.multiply %188, %200 : tensor<16x48xf32>
    %c_54 = stablehlo.constant dense<true> : tensor<i1>
    %202 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<i1>) -> tensor<16x48xi1>
    %c_55 = stablehlo.constant dense<true> : tensor<i1>
    %203 = stablehlo.broadcast_in_dim %c_55, dims = [] : (tensor<i1>) -> tensor<16x48xi1>
    %204 = stablehlo.or %202, %203 : tensor<16x48xi1>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %206 = stablehlo.divide %201, %205 : tensor<16x48xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = call @_where_1(%204, %206, %cst_57) : (tensor<16x48xi1>, tensor<16x48xf32>, tensor<f32>) -> tensor<16x48xf32>
    %208 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<32x48xf32>) -> tensor<48x32xf32>
    %209 = stablehlo.transpose %208, dims = [1, 0] : (tensor<48x32xf32>) -> tensor<32x48xf32>
    %210 = stablehlo.transpose %209, dims = [1, 0] : (tensor<32x48xf32>) -> tensor<48x32xf32>
    %211 = stablehlo.dot_general %207, %210, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x48xf32>, tensor<48x32xf32>) -> tensor<16x32xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %213 = stablehlo.multiply %212, %162 : tensor<16x32xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %215 = stablehlo.multiply %214, %211 : tensor<16x32xf32>
    %216 = stablehlo.add %213, %215 : tensor<16x32xf32>
    %217 = stablehlo.dot_general %216, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<16x32xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %219 = stablehlo.add %217, %218 : tensor<16x32xf32>
    %220 = stablehlo.negate %219 : tensor<16x32xf32>
    %221 = stablehlo.exponential %220 : tensor<16x32xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %223 = stablehlo.add %222, %221 : tensor<16x32xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %225 = stablehlo.divide %224, %223 : tensor<16x32xf32>
    %226 = stablehlo.multiply %216, %225 : tensor<16x32xf32>
    %227 = call @relu(%226) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %229 = stablehlo.maximum %227, %228 : tensor<16x32xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%229 init: %cst_64) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_65 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %233 = stablehlo.divide %231, %232 : tensor<16x1xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %235 = stablehlo.subtract %229, %234 : tensor<16x32xf32>
    %236 = stablehlo.multiply %235, %235 : tensor<16x32xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%236 init: %cst_66) applies stablehlo.add across dimensions = [1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<16xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %cst_67 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %240 = stablehlo.divide %238, %239 : tensor<16x1xf32>
    %cst_68 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %242 = stablehlo.add %240, %241 : tensor<16x1xf32>
    %243 = stablehlo.rsqrt %242 : tensor<16x1xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x32xf32>
    %245 = stablehlo.multiply %235, %244 : tensor<16x32xf32>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %247 = stablehlo.multiply %245, %246 : tensor<16x32xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %249 = stablehlo.add %247, %248 : tensor<16x32xf32>
    %250 = stablehlo.dot_general %249, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x10xf32>) -> tensor<16x10xf32>
    %251 = stablehlo.broadcast_in_dim %cst_1, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %252 = stablehlo.broadcast_in_dim %251, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<16x10xf32>
    %253 = stablehlo.add %250, %252 : tensor<16x10xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %255 = stablehlo.divide %253, %254 : tensor<16x10xf32>
    %cst_72 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %256 = stablehlo.reduce(%255 init: %cst_72) applies stablehlo.maximum across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %258 = stablehlo.broadcast_in_dim %257, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x10xf32>
    %259 = stablehlo.subtract %255, %258 : tensor<16x10xf32>
    %260 = stablehlo.exponential %259 : tensor<16x10xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.reduce(%260 init: %cst_73) applies stablehlo.add across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
    %262 = stablehlo.broadcast_in_dim %261, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x10xf32>
    %264 = stablehlo.divide %260, %263 : tensor<16x10xf32>
    %cst_74 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %265 = stablehlo.reduce(%264 init: %cst_74) applies stablehlo.maximum across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %267 = stablehlo.iota dim = 1 : tensor<16x10xi32>
    %268 = stablehlo.broadcast_in_dim %266, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x10xf32>
    %269 = stablehlo.compare EQ, %264, %268, FLOAT : (tensor<16x10xf32>, tensor<16x10xf32>) -> tensor<16x10xi1>
    %c_75 = stablehlo.constant dense<10> : tensor<i32>
    %270 = call @_where_2(%269, %267, %c_75) : (tensor<16x10xi1>, tensor<16x10xi32>, tensor<i32>) -> tensor<16x10xi32>
    %c_76 = stablehlo.constant dense<2147483647> : tensor<i32>
    %271 = stablehlo.reduce(%270 init: %c_76) applies stablehlo.minimum across dimensions = [1] : (tensor<16x10xi32>, tensor<i32>) -> tensor<16xi32>
    %272 = stablehlo.iota dim = 1 : tensor<16x10xi32>
    %273 = stablehlo.broadcast_in_dim %271, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x10xi32>
    %275 = stablehlo.compare EQ, %274, %272, SIGNED : (tensor<16x10xi32>, tensor<16x10xi32>) -> tensor<16x10xi1>
    %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %276 = call @_where_3(%275, %cst_77, %cst_78) : (tensor<16x10xi1>, tensor<f32>, tensor<f32>) -> tensor<16x10xf32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %278 = stablehlo.multiply %276, %277 : tensor<16x10xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %280 = stablehlo.add %278, %279 : tensor<16x10xf32>
    %cst_81 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %282 = stablehlo.add %264, %281 : tensor<16x10xf32>
    %283 = stablehlo.log %282 : tensor<16x10xf32>
    %284 = stablehlo.convert %280 : tensor<16x10xf32>
    %285 = stablehlo.multiply %284, %283 : tensor<16x10xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %286 = stablehlo.reduce(%285 init: %cst_82) applies stablehlo.add across dimensions = [1] : (tensor<16x10xf32>, tensor<f32>) -> tensor<16xf32>
    %287 = stablehlo.negate %286 : tensor<16xf32>
    %288 = stablehlo.convert %264 : (tensor<16x10xf32>) -> tensor<16x10xbf16>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.reduce(%287 init: %cst_83) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %cst_84 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %290 = stablehlo.divide %289, %cst_84 : tensor<f32>
    %291 = stablehlo.is_finite %253 : (tensor<16x10xf32>) -> tensor<16x10xi1>
    %c_85 = stablehlo.constant dense<true> : tensor<i1>
    %292 = stablehlo.reduce(%291 init: %c_85) applies stablehlo.and across dimensions = [0, 1] : (tensor<16x10xi1>, tensor<i1>) -> tensor<i1>
    %c_86 = stablehlo.constant dense<false> : tensor<i1>
    %293 = stablehlo.reduce(%17 init: %c_86) applies stablehlo.or across dimensions = [0, 1] : (tensor<16x8xi1>, tensor<i1>) -> tensor<i1>
    return %293, %292, %271, %290, %264, %288 : tensor<i1>, tensor<i1>, tensor<16xi32>, tensor<f32>, tensor<16x10xf32>, tensor<16x10xbf16>
  }
  func.func private @_where(%arg0: tensor<16x8xi1>, %arg1: tensor<f32>, %arg2: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<16x8xi1>, tensor<16x8xf32>
    return %2 : tensor<16x8xf32>
  }
  func.func private @relu(%arg0: tensor<16x32xf32>) -> tensor<16x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
  func.func private @_where_0(%arg0: tensor<16x32xi1>, %arg1: tensor<16x32xf32>, %arg2: tensor<f32>) -> tensor<16x32xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<16x32xi1>, tensor<16x32xf32>
    return %2 : tensor<16x32xf32>
  }
  func.func private @_where_1(%arg0: tensor<16x48xi1>, %arg1: tensor<16x48xf32>, %arg2: tensor<f32>) -> tensor<16x48xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x48xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<16x48xi1>, tensor<16x48xf32>
    return %2 : tensor<16x48xf32>
  }
  func.func private @_where_2(%arg0: tensor<16x10xi1>, %arg1: tensor<16x10xi32>, %arg2: tensor<i32>) -> tensor<16x10xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<16x10xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<16x10xi1>, tensor<16x10xi32>
    return %2 : tensor<16x10xi32>
  }
  func.func private @_where_3(%arg0: tensor<16x10xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<16x10xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<16x10xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<16x10xi1>, tensor<16x10xf32>
    return %2 : tensor<16x10xf32>
  }
}
