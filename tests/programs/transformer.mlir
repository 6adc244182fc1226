module @jit_transformer attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16xf32>, %arg11: tensor<32x16xf32>, %arg12: tensor<16xf32>, %arg13: tensor<16xf32>, %arg14: tensor<16x16xf32>, %arg15: tensor<16x16xf32>, %arg16: tensor<16x16xf32>, %arg17: tensor<16x64xf32>, %arg18: tensor<64xf32>, %arg19: tensor<16x16xf32>, %arg20: tensor<16xf32>, %arg21: tensor<32x16xf32>, %arg22: tensor<16xf32>, %arg23: tensor<16xf32>, %arg24: tensor<16x16xf32>, %arg25: tensor<16x16xf32>, %arg26: tensor<16x16xf32>, %arg27: tensor<16x64xf32>, %arg28: tensor<64xf32>, %arg29: tensor<16x16xf32>, %arg30: tensor<16xf32>, %arg31: tensor<32x16xf32>, %arg32: tensor<16xf32>, %arg33: tensor<16xf32>, %arg34: tensor<16x16xf32>, %arg35: tensor<16x16xf32>, %arg36: tensor<16x16xf32>, %arg37: tensor<16x64xf32>, %arg38: tensor<64xf32>, %arg39: tensor<16x16xf32>, %arg40: tensor<16xf32>, %arg41: tensor<32x16xf32>, %arg42: tensor<16xf32>, %arg43: tensor<16xf32>, %arg44: tensor<16x16xf32>, %arg45: tensor<16x16xf32>, %arg46: tensor<16x16xf32>, %arg47: tensor<16x64xf32>, %arg48: tensor<64xf32>, %arg49: tensor<16x16xf32>, %arg50: tensor<16xf32>, %arg51: tensor<32x16xf32>, %arg52: tensor<16xf32>, %arg53: tensor<16xf32>, %arg54: tensor<16x16xf32>, %arg55: tensor<16x16xf32>, %arg56: tensor<16x16xf32>, %arg57: tensor<16x64xf32>, %arg58: tensor<64xf32>, %arg59: tensor<16x16xf32>, %arg60: tensor<2x8xi32>, %arg61: tensor<20x16xf32>, %arg62: tensor<2x8xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x8x20xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg60, %c) : (tensor<2x8xi32>, tensor<i32>) -> tensor<2x9xi32>
    %1 = stablehlo.slice %0 [0:2, 0:8] : (tensor<2x9xi32>) -> tensor<2x8xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<19> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %3 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %4 = stablehlo.clamp %2, %1, %3 : tensor<2x8xi32>
    %5 = stablehlo.iota dim = 2 : tensor<2x8x20xi32>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x8x1xi32>) -> tensor<2x8x20xi32>
    %8 = stablehlo.compare EQ, %7, %5, SIGNED : (tensor<2x8x20xi32>, tensor<2x8x20xi32>) -> tensor<2x8x20xi1>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = call @_where(%8, %cst, %cst_2) : (tensor<2x8x20xi1>, tensor<f32>, tensor<f32>) -> tensor<2x8x20xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2x8x20xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %13 = stablehlo.add %11, %12 : tensor<2x8x20xf32>
    %14 = stablehlo.dot_general %13, %arg61, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x20xf32>, tensor<20x16xf32>) -> tensor<2x8x16xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<2x8x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %18 = stablehlo.add %16, %17 : tensor<2x8x16xf32>
    %19 = stablehlo.iota dim = 0 : tensor<8x8xf32>
    %20 = stablehlo.iota dim = 1 : tensor<8x8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<8x8xf32>
    %cst_8 = stablehlo.constant dense<-1.15129256> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %24 = stablehlo.multiply %20, %23 : tensor<8x8xf32>
    %25 = stablehlo.exponential %24 : tensor<8x8xf32>
    %26 = stablehlo.multiply %22, %25 : tensor<8x8xf32>
    %27 = stablehlo.sine %26 : tensor<8x8xf32>
    %28 = stablehlo.cosine %26 : tensor<8x8xf32>
    %29 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %31 = stablehlo.concatenate %29, %30, dim = 2 : (tensor<8x8x1xf32>, tensor<8x8x1xf32>) -> tensor<8x8x2xf32>
    %32 = stablehlo.reshape %31 : (tensor<8x8x2xf32>) -> tensor<8x16xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x8x16xf32>) -> tensor<2x8x16xf32>
    %35 = stablehlo.add %18, %34 : tensor<2x8x16xf32>
    %c_9 = stablehlo.constant dense<true> : tensor<i1>
    %36 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_10 = stablehlo.constant dense<true> : tensor<i1>
    %37 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %38 = stablehlo.or %36, %37 : tensor<2x8x16xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %40 = stablehlo.divide %35, %39 : tensor<2x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = call @_where_0(%38, %40, %cst_12) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %43 = stablehlo.compare GE, %arg60, %42, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %c_14 = stablehlo.constant dense<20> : tensor<i32>
    %44 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %45 = stablehlo.compare LT, %arg60, %44, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %46 = stablehlo.and %43, %45 : tensor<2x8xi1>
    %47 = stablehlo.broadcast_in_dim %arg62, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %48 = stablehlo.broadcast_in_dim %arg62, dims = [0, 2] : (tensor<2x8xi32>) -> tensor<2x1x8xi32>
    %49 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<2x8x1xi32>) -> tensor<2x8x8xi32>
    %50 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<2x1x8xi32>) -> tensor<2x8x8xi32>
    %51 = stablehlo.compare EQ, %49, %50, SIGNED : (tensor<2x8x8xi32>, tensor<2x8x8xi32>) -> tensor<2x8x8xi1>
    %52 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %53 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %54 = stablehlo.compare GE, %52, %53, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %55 = stablehlo.broadcast_in_dim %54, dims = [1, 2] : (tensor<8x8xi1>) -> tensor<1x8x8xi1>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<1x8x8xi1>) -> tensor<2x8x8xi1>
    %57 = stablehlo.and %56, %51 : tensor<2x8x8xi1>
    %58 = stablehlo.broadcast_in_dim %46, dims = [0, 2] : (tensor<2x8xi1>) -> tensor<2x1x8xi1>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<2x1x8xi1>) -> tensor<2x8x8xi1>
    %60 = stablehlo.and %57, %59 : tensor<2x8x8xi1>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 2, 3] : (tensor<2x8x8xi1>) -> tensor<2x1x8x8xi1>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<2x1x8x8xi1>) -> tensor<2x2x8x8xi1>
    %63 = stablehlo.slice %41 [0:2, 0:8, 0:8] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %64 = stablehlo.slice %41 [0:2, 0:8, 8:16] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %65 = call @_pad_1(%64, %c_15) : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<2x8x8xf32>
    %66 = stablehlo.concatenate %63, %65, dim = 2 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_17 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %70 = stablehlo.divide %68, %69 : tensor<2x8x1xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %72 = stablehlo.subtract %66, %71 : tensor<2x8x16xf32>
    %73 = stablehlo.multiply %72, %72 : tensor<2x8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.reduce(%73 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_19 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %77 = stablehlo.divide %75, %76 : tensor<2x8x1xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %79 = stablehlo.add %77, %78 : tensor<2x8x1xf32>
    %80 = stablehlo.rsqrt %79 : tensor<2x8x1xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %82 = stablehlo.multiply %72, %81 : tensor<2x8x16xf32>
    %83 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %85 = stablehlo.multiply %82, %84 : tensor<2x8x16xf32>
    %86 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %88 = stablehlo.add %85, %87 : tensor<2x8x16xf32>
    %89 = stablehlo.dot_general %88, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %91 = stablehlo.add %89, %90 : tensor<2x8x16xf32>
    %92 = stablehlo.reshape %91 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %93 = stablehlo.transpose %92, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %94 = stablehlo.dot_general %88, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %96 = stablehlo.add %94, %95 : tensor<2x8x16xf32>
    %97 = stablehlo.reshape %96 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %98 = stablehlo.transpose %97, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %99 = stablehlo.dot_general %88, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %101 = stablehlo.add %99, %100 : tensor<2x8x16xf32>
    %102 = stablehlo.reshape %101 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %103 = stablehlo.transpose %102, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %104 = stablehlo.dot_general %93, %98, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_24 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %106 = stablehlo.divide %104, %105 : tensor<2x2x8x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %108 = stablehlo.add %106, %107 : tensor<2x2x8x8xf32>
    %cst_26 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %109 = call @_where_2(%62, %108, %cst_26) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %111 = stablehlo.divide %109, %110 : tensor<2x2x8x8xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %112 = stablehlo.reduce(%111 init: %cst_28) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %115 = stablehlo.subtract %111, %114 : tensor<2x2x8x8xf32>
    %116 = stablehlo.exponential %115 : tensor<2x2x8x8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_29) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %120 = stablehlo.divide %116, %119 : tensor<2x2x8x8xf32>
    %121 = stablehlo.dot_general %120, %103, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %122 = stablehlo.transpose %121, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %123 = stablehlo.reshape %122 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %124 = stablehlo.dot_general %123, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %126 = stablehlo.add %124, %125 : tensor<2x8x16xf32>
    %c_31 = stablehlo.constant dense<true> : tensor<i1>
    %127 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_32 = stablehlo.constant dense<true> : tensor<i1>
    %128 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %129 = stablehlo.or %127, %128 : tensor<2x8x16xi1>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %131 = stablehlo.divide %126, %130 : tensor<2x8x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = call @_where_0(%129, %131, %cst_34) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %134 = stablehlo.multiply %133, %41 : tensor<2x8x16xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %136 = stablehlo.multiply %135, %132 : tensor<2x8x16xf32>
    %137 = stablehlo.add %134, %136 : tensor<2x8x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %138 = stablehlo.reduce(%137 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_38 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %141 = stablehlo.divide %139, %140 : tensor<2x8x1xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %143 = stablehlo.subtract %137, %142 : tensor<2x8x16xf32>
    %144 = stablehlo.multiply %143, %143 : tensor<2x8x16xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %145 = stablehlo.reduce(%144 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_40 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %148 = stablehlo.divide %146, %147 : tensor<2x8x1xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %150 = stablehlo.add %148, %149 : tensor<2x8x1xf32>
    %151 = stablehlo.rsqrt %150 : tensor<2x8x1xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %153 = stablehlo.multiply %143, %152 : tensor<2x8x16xf32>
    %154 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %156 = stablehlo.multiply %153, %155 : tensor<2x8x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %158 = stablehlo.add %156, %157 : tensor<2x8x16xf32>
    %159 = stablehlo.dot_general %158, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %160 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %161 = stablehlo.broadcast_in_dim %160, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %162 = stablehlo.add %159, %161 : tensor<2x8x64xf32>
    %163 = stablehlo.slice %162 [0:2, 0:8, 0:32] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %164 = stablehlo.slice %162 [0:2, 0:8, 32:64] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %165 = stablehlo.multiply %163, %163 : tensor<2x8x32xf32>
    %166 = stablehlo.multiply %165, %163 : tensor<2x8x32xf32>
    %cst_43 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %168 = stablehlo.multiply %167, %166 : tensor<2x8x32xf32>
    %169 = stablehlo.add %163, %168 : tensor<2x8x32xf32>
    %cst_44 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %171 = stablehlo.multiply %170, %169 : tensor<2x8x32xf32>
    %172 = stablehlo.tanh %171 : tensor<2x8x32xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %174 = stablehlo.add %173, %172 : tensor<2x8x32xf32>
    %cst_46 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<2x8x32xf32>
    %177 = stablehlo.multiply %163, %176 : tensor<2x8x32xf32>
    %178 = call @silu(%164) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %179 = stablehlo.multiply %177, %178 : tensor<2x8x32xf32>
    %180 = stablehlo.dot_general %179, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %182 = stablehlo.add %180, %181 : tensor<2x8x16xf32>
    %c_48 = stablehlo.constant dense<true> : tensor<i1>
    %183 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_49 = stablehlo.constant dense<true> : tensor<i1>
    %184 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %185 = stablehlo.or %183, %184 : tensor<2x8x16xi1>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %187 = stablehlo.divide %182, %186 : tensor<2x8x16xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %188 = call @_where_0(%185, %187, %cst_51) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %190 = stablehlo.multiply %189, %137 : tensor<2x8x16xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %192 = stablehlo.multiply %191, %188 : tensor<2x8x16xf32>
    %193 = stablehlo.add %190, %192 : tensor<2x8x16xf32>
    %194 = stablehlo.slice %193 [0:2, 0:8, 0:8] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %195 = stablehlo.slice %193 [0:2, 0:8, 8:16] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %196 = call @_pad_3(%195, %c_54) : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<2x9x8xf32>
    %197 = stablehlo.slice %196 [0:2, 0:8, 0:8] : (tensor<2x9x8xf32>) -> tensor<2x8x8xf32>
    %198 = stablehlo.concatenate %194, %197, dim = 2 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.reduce(%198 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_56 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %202 = stablehlo.divide %200, %201 : tensor<2x8x1xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %204 = stablehlo.subtract %198, %203 : tensor<2x8x16xf32>
    %205 = stablehlo.multiply %204, %204 : tensor<2x8x16xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.reduce(%205 init: %cst_57) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_58 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %209 = stablehlo.divide %207, %208 : tensor<2x8x1xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %211 = stablehlo.add %209, %210 : tensor<2x8x1xf32>
    %212 = stablehlo.rsqrt %211 : tensor<2x8x1xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %214 = stablehlo.multiply %204, %213 : tensor<2x8x16xf32>
    %215 = stablehlo.broadcast_in_dim %arg12, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %217 = stablehlo.multiply %214, %216 : tensor<2x8x16xf32>
    %218 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %220 = stablehlo.add %217, %219 : tensor<2x8x16xf32>
    %221 = stablehlo.dot_general %220, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %223 = stablehlo.add %221, %222 : tensor<2x8x16xf32>
    %224 = stablehlo.reshape %223 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %225 = stablehlo.transpose %224, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %226 = stablehlo.dot_general %220, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %228 = stablehlo.add %226, %227 : tensor<2x8x16xf32>
    %229 = stablehlo.reshape %228 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %230 = stablehlo.transpose %229, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %231 = stablehlo.dot_general %220, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %233 = stablehlo.add %231, %232 : tensor<2x8x16xf32>
    %234 = stablehlo.reshape %233 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %235 = stablehlo.transpose %234, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %236 = stablehlo.dot_general %225, %230, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_63 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %238 = stablehlo.divide %236, %237 : tensor<2x2x8x8xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %240 = stablehlo.add %238, %239 : tensor<2x2x8x8xf32>
    %cst_65 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %241 = call @_where_2(%62, %240, %cst_65) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %243 = stablehlo.divide %241, %242 : tensor<2x2x8x8xf32>
    %cst_67 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %244 = stablehlo.reduce(%243 init: %cst_67) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %247 = stablehlo.subtract %243, %246 : tensor<2x2x8x8xf32>
    %248 = stablehlo.exponential %247 : tensor<2x2x8x8xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.reduce(%248 init: %cst_68) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %250 = stablehlo.broadcast_in_dim %249, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %252 = stablehlo.divide %248, %251 : tensor<2x2x8x8xf32>
    %253 = stablehlo.dot_general %252, %235, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %254 = stablehlo.transpose %253, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %255 = stablehlo.reshape %254 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %256 = stablehlo.dot_general %255, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %258 = stablehlo.add %256, %257 : tensor<2x8x16xf32>
    %c_70 = stablehlo.constant dense<true> : tensor<i1>
    %259 = stablehlo.broadcast_in_dim %c_70, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_71 = stablehlo.constant dense<true> : tensor<i1>
    %260 = stablehlo.broadcast_in_dim %c_71, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %261 = stablehlo.or %259, %260 : tensor<2x8x16xi1>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %263 = stablehlo.divide %258, %262 : tensor<2x8x16xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = call @_where_0(%261, %263, %cst_73) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %266 = stablehlo.multiply %265, %193 : tensor<2x8x16xf32>
    %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %268 = stablehlo.multiply %267, %264 : tensor<2x8x16xf32>
    %269 = stablehlo.add %266, %268 : tensor<2x8x16xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %270 = stablehlo.reduce(%269 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %271 = stablehlo.broadcast_in_dim %270, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_77 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %273 = stablehlo.divide %271, %272 : tensor<2x8x1xf32>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %275 = stablehlo.subtract %269, %274 : tensor<2x8x16xf32>
    %276 = stablehlo.multiply %275, %275 : tensor<2x8x16xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %277 = stablehlo.reduce(%276 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %278 = stablehlo.broadcast_in_dim %277, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_79 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %280 = stablehlo.divide %278, %279 : tensor<2x8x1xf32>
    %cst_80 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %282 = stablehlo.add %280, %281 : tensor<2x8x1xf32>
    %283 = stablehlo.rsqrt %282 : tensor<2x8x1xf32>
    %284 = stablehlo.broadcast_in_dim %283, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %285 = stablehlo.multiply %275, %284 : tensor<2x8x16xf32>
    %286 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %288 = stablehlo.multiply %285, %287 : tensor<2x8x16xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %290 = stablehlo.add %288, %289 : tensor<2x8x16xf32>
    %291 = stablehlo.dot_general %290, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %292 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %294 = stablehlo.add %291, %293 : tensor<2x8x64xf32>
    %295 = stablehlo.slice %294 [0:2, 0:8, 0:32] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %296 = stablehlo.slice %294 [0:2, 0:8, 32:64] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %297 = stablehlo.multiply %295, %295 : tensor<2x8x32xf32>
    %298 = stablehlo.multiply %297, %295 : tensor<2x8x32xf32>
    %cst_82 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %300 = stablehlo.multiply %299, %298 : tensor<2x8x32xf32>
    %301 = stablehlo.add %295, %300 : tensor<2x8x32xf32>
    %cst_83 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %303 = stablehlo.multiply %302, %301 : tensor<2x8x32xf32>
    %304 = stablehlo.tanh %303 : tensor<2x8x32xf32>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %306 = stablehlo.add %305, %304 : tensor<2x8x32xf32>
    %cst_85 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %308 = stablehlo.multiply %307, %306 : tensor<2x8x32xf32>
    %309 = stablehlo.multiply %295, %308 : tensor<2x8x32xf32>
    %310 = call @silu(%296) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %311 = stablehlo.multiply %309, %310 : tensor<2x8x32xf32>
    %312 = stablehlo.dot_general %311, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %314 = stablehlo.add %312, %313 : tensor<2x8x16xf32>
    %c_87 = stablehlo.constant dense<true> : tensor<i1>
    %315 = stablehlo.broadcast_in_dim %c_87, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_88 = stablehlo.constant dense<true> : tensor<i1>
    %316 = stablehlo.broadcast_in_dim %c_88, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %317 = stablehlo.or %315, %316 : tensor<2x8x16xi1>
    %cst_89 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %319 = stablehlo.divide %314, %318 : tensor<2x8x16xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %320 = call @_where_0(%317, %319, %cst_90) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_91 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %322 = stablehlo.multiply %321, %269 : tensor<2x8x16xf32>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %324 = stablehlo.multiply %323, %320 : tensor<2x8x16xf32>
    %325 = stablehlo.add %322, %324 : tensor<2x8x16xf32>
    %326 = stablehlo.slice %325 [0:2, 0:8, 0:8] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %327 = stablehlo.slice %325 [0:2, 0:8, 8:16] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %c_93 = stablehlo.constant dense<0> : tensor<i32>
    %328 = call @_pad_1(%327, %c_93) : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<2x8x8xf32>
    %329 = stablehlo.concatenate %326, %328, dim = 2 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %330 = stablehlo.reduce(%329 init: %cst_94) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %331 = stablehlo.broadcast_in_dim %330, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_95 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %333 = stablehlo.divide %331, %332 : tensor<2x8x1xf32>
    %334 = stablehlo.broadcast_in_dim %333, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %335 = stablehlo.subtract %329, %334 : tensor<2x8x16xf32>
    %336 = stablehlo.multiply %335, %335 : tensor<2x8x16xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %337 = stablehlo.reduce(%336 init: %cst_96) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %338 = stablehlo.broadcast_in_dim %337, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_97 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %340 = stablehlo.divide %338, %339 : tensor<2x8x1xf32>
    %cst_98 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %342 = stablehlo.add %340, %341 : tensor<2x8x1xf32>
    %343 = stablehlo.rsqrt %342 : tensor<2x8x1xf32>
    %344 = stablehlo.broadcast_in_dim %343, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %345 = stablehlo.multiply %335, %344 : tensor<2x8x16xf32>
    %346 = stablehlo.broadcast_in_dim %arg22, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %347 = stablehlo.broadcast_in_dim %346, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %348 = stablehlo.multiply %345, %347 : tensor<2x8x16xf32>
    %349 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %350 = stablehlo.broadcast_in_dim %349, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %351 = stablehlo.add %348, %350 : tensor<2x8x16xf32>
    %352 = stablehlo.dot_general %351, %arg26, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %353 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %354 = stablehlo.add %352, %353 : tensor<2x8x16xf32>
    %355 = stablehlo.reshape %354 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %356 = stablehlo.transpose %355, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %357 = stablehlo.dot_general %351, %arg24, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %359 = stablehlo.add %357, %358 : tensor<2x8x16xf32>
    %360 = stablehlo.reshape %359 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %361 = stablehlo.transpose %360, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %362 = stablehlo.dot_general %351, %arg29, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %364 = stablehlo.add %362, %363 : tensor<2x8x16xf32>
    %365 = stablehlo.reshape %364 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %366 = stablehlo.transpose %365, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %367 = stablehlo.dot_general %356, %361, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_102 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %369 = stablehlo.divide %367, %368 : tensor<2x2x8x8xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %371 = stablehlo.add %369, %370 : tensor<2x2x8x8xf32>
    %cst_104 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %372 = call @_where_2(%62, %371, %cst_104) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %374 = stablehlo.divide %372, %373 : tensor<2x2x8x8xf32>
    %cst_106 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %375 = stablehlo.reduce(%374 init: %cst_106) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %376 = stablehlo.broadcast_in_dim %375, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %377 = stablehlo.broadcast_in_dim %376, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %378 = stablehlo.subtract %374, %377 : tensor<2x2x8x8xf32>
    %379 = stablehlo.exponential %378 : tensor<2x2x8x8xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %380 = stablehlo.reduce(%379 init: %cst_107) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %381 = stablehlo.broadcast_in_dim %380, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %382 = stablehlo.broadcast_in_dim %381, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %383 = stablehlo.divide %379, %382 : tensor<2x2x8x8xf32>
    %384 = stablehlo.dot_general %383, %366, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %385 = stablehlo.transpose %384, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %386 = stablehlo.reshape %385 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %387 = stablehlo.dot_general %386, %arg25, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %388 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %389 = stablehlo.add %387, %388 : tensor<2x8x16xf32>
    %c_109 = stablehlo.constant dense<true> : tensor<i1>
    %390 = stablehlo.broadcast_in_dim %c_109, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_110 = stablehlo.constant dense<true> : tensor<i1>
    %391 = stablehlo.broadcast_in_dim %c_110, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %392 = stablehlo.or %390, %391 : tensor<2x8x16xi1>
    %cst_111 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %393 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %394 = stablehlo.divide %389, %393 : tensor<2x8x16xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %395 = call @_where_0(%392, %394, %cst_112) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %396 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %397 = stablehlo.multiply %396, %325 : tensor<2x8x16xf32>
    %cst_114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %398 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %399 = stablehlo.multiply %398, %395 : tensor<2x8x16xf32>
    %400 = stablehlo.add %397, %399 : tensor<2x8x16xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %401 = stablehlo.reduce(%400 init: %cst_115) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %402 = stablehlo.broadcast_in_dim %401, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_116 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %404 = stablehlo.divide %402, %403 : tensor<2x8x1xf32>
    %405 = stablehlo.broadcast_in_dim %404, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %406 = stablehlo.subtract %400, %405 : tensor<2x8x16xf32>
    %407 = stablehlo.multiply %406, %406 : tensor<2x8x16xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %408 = stablehlo.reduce(%407 init: %cst_117) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %409 = stablehlo.broadcast_in_dim %408, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_118 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %410 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %411 = stablehlo.divide %409, %410 : tensor<2x8x1xf32>
    %cst_119 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %413 = stablehlo.add %411, %412 : tensor<2x8x1xf32>
    %414 = stablehlo.rsqrt %413 : tensor<2x8x1xf32>
    %415 = stablehlo.broadcast_in_dim %414, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %416 = stablehlo.multiply %406, %415 : tensor<2x8x16xf32>
    %417 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %418 = stablehlo.broadcast_in_dim %417, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %419 = stablehlo.multiply %416, %418 : tensor<2x8x16xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %421 = stablehlo.add %419, %420 : tensor<2x8x16xf32>
    %422 = stablehlo.dot_general %421, %arg27, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %423 = stablehlo.broadcast_in_dim %arg28, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %424 = stablehlo.broadcast_in_dim %423, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %425 = stablehlo.add %422, %424 : tensor<2x8x64xf32>
    %426 = stablehlo.slice %425 [0:2, 0:8, 0:32] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %427 = stablehlo.slice %425 [0:2, 0:8, 32:64] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %428 = stablehlo.multiply %426, %426 : tensor<2x8x32xf32>
    %429 = stablehlo.multiply %428, %426 : tensor<2x8x32xf32>
    %cst_121 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %430 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %431 = stablehlo.multiply %430, %429 : tensor<2x8x32xf32>
    %432 = stablehlo.add %426, %431 : tensor<2x8x32xf32>
    %cst_122 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %434 = stablehlo.multiply %433, %432 : tensor<2x8x32xf32>
    %435 = stablehlo.tanh %434 : tensor<2x8x32xf32>
    %cst_123 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %436 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %437 = stablehlo.add %436, %435 : tensor<2x8x32xf32>
    %cst_124 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %439 = stablehlo.multiply %438, %437 : tensor<2x8x32xf32>
    %440 = stablehlo.multiply %426, %439 : tensor<2x8x32xf32>
    %441 = call @silu(%427) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %442 = stablehlo.multiply %440, %441 : tensor<2x8x32xf32>
    %443 = stablehlo.dot_general %442, %arg21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %444 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %445 = stablehlo.add %443, %444 : tensor<2x8x16xf32>
    %c_126 = stablehlo.constant dense<true> : tensor<i1>
    %446 = stablehlo.broadcast_in_dim %c_126, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_127 = stablehlo.constant dense<true> : tensor<i1>
    %447 = stablehlo.broadcast_in_dim %c_127, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %448 = stablehlo.or %446, %447 : tensor<2x8x16xi1>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %449 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %450 = stablehlo.divide %445, %449 : tensor<2x8x16xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %451 = call @_where_0(%448, %450, %cst_129) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_130 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %452 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %453 = stablehlo.multiply %452, %400 : tensor<2x8x16xf32>
    %cst_131 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %454 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %455 = stablehlo.multiply %454, %451 : tensor<2x8x16xf32>
    %456 = stablehlo.add %453, %455 : tensor<2x8x16xf32>
    %457 = stablehlo.slice %456 [0:2, 0:8, 0:8] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %458 = stablehlo.slice %456 [0:2, 0:8, 8:16] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %c_132 = stablehlo.constant dense<0> : tensor<i32>
    %459 = call @_pad_3(%458, %c_132) : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<2x9x8xf32>
    %460 = stablehlo.slice %459 [0:2, 0:8, 0:8] : (tensor<2x9x8xf32>) -> tensor<2x8x8xf32>
    %461 = stablehlo.concatenate %457, %460, dim = 2 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %462 = stablehlo.reduce(%461 init: %cst_133) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %463 = stablehlo.broadcast_in_dim %462, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_134 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %464 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %465 = stablehlo.divide %463, %464 : tensor<2x8x1xf32>
    %466 = stablehlo.broadcast_in_dim %465, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %467 = stablehlo.subtract %461, %466 : tensor<2x8x16xf32>
    %468 = stablehlo.multiply %467, %467 : tensor<2x8x16xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %469 = stablehlo.reduce(%468 init: %cst_135) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %470 = stablehlo.broadcast_in_dim %469, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_136 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %471 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %472 = stablehlo.divide %470, %471 : tensor<2x8x1xf32>
    %cst_137 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %474 = stablehlo.add %472, %473 : tensor<2x8x1xf32>
    %475 = stablehlo.rsqrt %474 : tensor<2x8x1xf32>
    %476 = stablehlo.broadcast_in_dim %475, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %477 = stablehlo.multiply %467, %476 : tensor<2x8x16xf32>
    %478 = stablehlo.broadcast_in_dim %arg32, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %479 = stablehlo.broadcast_in_dim %478, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %480 = stablehlo.multiply %477, %479 : tensor<2x8x16xf32>
    %481 = stablehlo.broadcast_in_dim %arg30, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %482 = stablehlo.broadcast_in_dim %481, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %483 = stablehlo.add %480, %482 : tensor<2x8x16xf32>
    %484 = stablehlo.dot_general %483, %arg36, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %485 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %486 = stablehlo.add %484, %485 : tensor<2x8x16xf32>
    %487 = stablehlo.reshape %486 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %488 = stablehlo.transpose %487, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %489 = stablehlo.dot_general %483, %arg34, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %491 = stablehlo.add %489, %490 : tensor<2x8x16xf32>
    %492 = stablehlo.reshape %491 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %493 = stablehlo.transpose %492, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %494 = stablehlo.dot_general %483, %arg39, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %496 = stablehlo.add %494, %495 : tensor<2x8x16xf32>
    %497 = stablehlo.reshape %496 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %498 = stablehlo.transpose %497, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %499 = stablehlo.dot_general %488, %493, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_141 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %501 = stablehlo.divide %499, %500 : tensor<2x2x8x8xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %503 = stablehlo.add %501, %502 : tensor<2x2x8x8xf32>
    %cst_143 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %504 = call @_where_2(%62, %503, %cst_143) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %cst_144 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %505 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %506 = stablehlo.divide %504, %505 : tensor<2x2x8x8xf32>
    %cst_145 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %507 = stablehlo.reduce(%506 init: %cst_145) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %508 = stablehlo.broadcast_in_dim %507, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %509 = stablehlo.broadcast_in_dim %508, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %510 = stablehlo.subtract %506, %509 : tensor<2x2x8x8xf32>
    %511 = stablehlo.exponential %510 : tensor<2x2x8x8xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %512 = stablehlo.reduce(%511 init: %cst_146) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %513 = stablehlo.broadcast_in_dim %512, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %514 = stablehlo.broadcast_in_dim %513, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %515 = stablehlo.divide %511, %514 : tensor<2x2x8x8xf32>
    %516 = stablehlo.dot_general %515, %498, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %517 = stablehlo.transpose %516, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %518 = stablehlo.reshape %517 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %519 = stablehlo.dot_general %518, %arg35, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %520 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %521 = stablehlo.add %519, %520 : tensor<2x8x16xf32>
    %c_148 = stablehlo.constant dense<true> : tensor<i1>
    %522 = stablehlo.broadcast_in_dim %c_148, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_149 = stablehlo.constant dense<true> : tensor<i1>
    %523 = stablehlo.broadcast_in_dim %c_149, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %524 = stablehlo.or %522, %523 : tensor<2x8x16xi1>
    %cst_150 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %526 = stablehlo.divide %521, %525 : tensor<2x8x16xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %527 = call @_where_0(%524, %526, %cst_151) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_152 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %529 = stablehlo.multiply %528, %456 : tensor<2x8x16xf32>
    %cst_153 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %530 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %531 = stablehlo.multiply %530, %527 : tensor<2x8x16xf32>
    %532 = stablehlo.add %529, %531 : tensor<2x8x16xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %533 = stablehlo.reduce(%532 init: %cst_154) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %534 = stablehlo.broadcast_in_dim %533, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_155 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %535 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %536 = stablehlo.divide %534, %535 : tensor<2x8x1xf32>
    %537 = stablehlo.broadcast_in_dim %536, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %538 = stablehlo.subtract %532, %537 : tensor<2x8x16xf32>
    %539 = stablehlo.multiply %538, %538 : tensor<2x8x16xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %540 = stablehlo.reduce(%539 init: %cst_156) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %541 = stablehlo.broadcast_in_dim %540, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_157 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %542 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %543 = stablehlo.divide %541, %542 : tensor<2x8x1xf32>
    %cst_158 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %544 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %545 = stablehlo.add %543, %544 : tensor<2x8x1xf32>
    %546 = stablehlo.rsqrt %545 : tensor<2x8x1xf32>
    %547 = stablehlo.broadcast_in_dim %546, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %548 = stablehlo.multiply %538, %547 : tensor<2x8x16xf32>
    %549 = stablehlo.broadcast_in_dim %arg33, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %550 = stablehlo.broadcast_in_dim %549, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %551 = stablehlo.multiply %548, %550 : tensor<2x8x16xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %552 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %553 = stablehlo.add %551, %552 : tensor<2x8x16xf32>
    %554 = stablehlo.dot_general %553, %arg37, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %555 = stablehlo.broadcast_in_dim %arg38, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %556 = stablehlo.broadcast_in_dim %555, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %557 = stablehlo.add %554, %556 : tensor<2x8x64xf32>
    %558 = stablehlo.slice %557 [0:2, 0:8, 0:32] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %559 = stablehlo.slice %557 [0:2, 0:8, 32:64] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %560 = stablehlo.multiply %558, %558 : tensor<2x8x32xf32>
    %561 = stablehlo.multiply %560, %558 : tensor<2x8x32xf32>
    %cst_160 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %562 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %563 = stablehlo.multiply %562, %561 : tensor<2x8x32xf32>
    %564 = stablehlo.add %558, %563 : tensor<2x8x32xf32>
    %cst_161 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %565 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %566 = stablehlo.multiply %565, %564 : tensor<2x8x32xf32>
    %567 = stablehlo.tanh %566 : tensor<2x8x32xf32>
    %cst_162 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %568 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %569 = stablehlo.add %568, %567 : tensor<2x8x32xf32>
    %cst_163 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %570 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %571 = stablehlo.multiply %570, %569 : tensor<2x8x32xf32>
    %572 = stablehlo.multiply %558, %571 : tensor<2x8x32xf32>
    %573 = call @silu(%559) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %574 = stablehlo.multiply %572, %573 : tensor<2x8x32xf32>
    %575 = stablehlo.dot_general %574, %arg31, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %cst_164 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %576 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %577 = stablehlo.add %575, %576 : tensor<2x8x16xf32>
    %c_165 = stablehlo.constant dense<true> : tensor<i1>
    %578 = stablehlo.broadcast_in_dim %c_165, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_166 = stablehlo.constant dense<true> : tensor<i1>
    %579 = stablehlo.broadcast_in_dim %c_166, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %580 = stablehlo.or %578, %579 : tensor<2x8x16xi1>
    %cst_167 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %581 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %582 = stablehlo.divide %577, %581 : tensor<2x8x16xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %583 = call @_where_0(%580, %582, %cst_168) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_169 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %584 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %585 = stablehlo.multiply %584, %532 : tensor<2x8x16xf32>
    %cst_170 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %586 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %587 = stablehlo.multiply %586, %583 : tensor<2x8x16xf32>
    %588 = stablehlo.add %585, %587 : tensor<2x8x16xf32>
    %589 = stablehlo.slice %588 [0:2, 0:8, 0:8] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %590 = stablehlo.slice %588 [0:2, 0:8, 8:16] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %c_171 = stablehlo.constant dense<0> : tensor<i32>
    %591 = call @_pad_1(%590, %c_171) : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<2x8x8xf32>
    %592 = stablehlo.concatenate %589, %591, dim = 2 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %593 = stablehlo.reduce(%592 init: %cst_172) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %594 = stablehlo.broadcast_in_dim %593, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_173 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %596 = stablehlo.divide %594, %595 : tensor<2x8x1xf32>
    %597 = stablehlo.broadcast_in_dim %596, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %598 = stablehlo.subtract %592, %597 : tensor<2x8x16xf32>
    %599 = stablehlo.multiply %598, %598 : tensor<2x8x16xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %600 = stablehlo.reduce(%599 init: %cst_174) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %601 = stablehlo.broadcast_in_dim %600, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_175 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %602 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %603 = stablehlo.divide %601, %602 : tensor<2x8x1xf32>
    %cst_176 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %604 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %605 = stablehlo.add %603, %604 : tensor<2x8x1xf32>
    %606 = stablehlo.rsqrt %605 : tensor<2x8x1xf32>
    %607 = stablehlo.broadcast_in_dim %606, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %608 = stablehlo.multiply %598, %607 : tensor<2x8x16xf32>
    %609 = stablehlo.broadcast_in_dim %arg42, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %610 = stablehlo.broadcast_in_dim %609, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %611 = stablehlo.multiply %608, %610 : tensor<2x8x16xf32>
    %612 = stablehlo.broadcast_in_dim %arg40, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %613 = stablehlo.broadcast_in_dim %612, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %614 = stablehlo.add %611, %613 : tensor<2x8x16xf32>
    %615 = stablehlo.dot_general %614, %arg46, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %616 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %617 = stablehlo.add %615, %616 : tensor<2x8x16xf32>
    %618 = stablehlo.reshape %617 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %619 = stablehlo.transpose %618, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %620 = stablehlo.dot_general %614, %arg44, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %622 = stablehlo.add %620, %621 : tensor<2x8x16xf32>
    %623 = stablehlo.reshape %622 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %624 = stablehlo.transpose %623, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %625 = stablehlo.dot_general %614, %arg49, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_179 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %627 = stablehlo.add %625, %626 : tensor<2x8x16xf32>
    %628 = stablehlo.reshape %627 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %629 = stablehlo.transpose %628, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %630 = stablehlo.dot_general %619, %624, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_180 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %632 = stablehlo.divide %630, %631 : tensor<2x2x8x8xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %634 = stablehlo.add %632, %633 : tensor<2x2x8x8xf32>
    %cst_182 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %635 = call @_where_2(%62, %634, %cst_182) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %cst_183 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %637 = stablehlo.divide %635, %636 : tensor<2x2x8x8xf32>
    %cst_184 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %638 = stablehlo.reduce(%637 init: %cst_184) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %639 = stablehlo.broadcast_in_dim %638, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %640 = stablehlo.broadcast_in_dim %639, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %641 = stablehlo.subtract %637, %640 : tensor<2x2x8x8xf32>
    %642 = stablehlo.exponential %641 : tensor<2x2x8x8xf32>
    %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %643 = stablehlo.reduce(%642 init: %cst_185) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %644 = stablehlo.broadcast_in_dim %643, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %645 = stablehlo.broadcast_in_dim %644, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %646 = stablehlo.divide %642, %645 : tensor<2x2x8x8xf32>
    %647 = stablehlo.dot_general %646, %629, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %648 = stablehlo.transpose %647, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %649 = stablehlo.reshape %648 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %650 = stablehlo.dot_general %649, %arg45, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %652 = stablehlo.add %650, %651 : tensor<2x8x16xf32>
    %c_187 = stablehlo.constant dense<true> : tensor<i1>
    %653 = stablehlo.broadcast_in_dim %c_187, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_188 = stablehlo.constant dense<true> : tensor<i1>
    %654 = stablehlo.broadcast_in_dim %c_188, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %655 = stablehlo.or %653, %654 : tensor<2x8x16xi1>
    %cst_189 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %656 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %657 = stablehlo.divide %652, %656 : tensor<2x8x16xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %658 = call @_where_0(%655, %657, %cst_190) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_191 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %659 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %660 = stablehlo.multiply %659, %588 : tensor<2x8x16xf32>
    %cst_192 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %661 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %662 = stablehlo.multiply %661, %658 : tensor<2x8x16xf32>
    %663 = stablehlo.add %660, %662 : tensor<2x8x16xf32>
    %cst_193 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %664 = stablehlo.reduce(%663 init: %cst_193) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %665 = stablehlo.broadcast_in_dim %664, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_194 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %666 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %667 = stablehlo.divide %665, %666 : tensor<2x8x1xf32>
    %668 = stablehlo.broadcast_in_dim %667, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %669 = stablehlo.subtract %663, %668 : tensor<2x8x16xf32>
    %670 = stablehlo.multiply %669, %669 : tensor<2x8x16xf32>
    %cst_195 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %671 = stablehlo.reduce(%670 init: %cst_195) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %672 = stablehlo.broadcast_in_dim %671, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_196 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %673 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %674 = stablehlo.divide %672, %673 : tensor<2x8x1xf32>
    %cst_197 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %676 = stablehlo.add %674, %675 : tensor<2x8x1xf32>
    %677 = stablehlo.rsqrt %676 : tensor<2x8x1xf32>
    %678 = stablehlo.broadcast_in_dim %677, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %679 = stablehlo.multiply %669, %678 : tensor<2x8x16xf32>
    %680 = stablehlo.broadcast_in_dim %arg43, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %681 = stablehlo.broadcast_in_dim %680, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %682 = stablehlo.multiply %679, %681 : tensor<2x8x16xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %683 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %684 = stablehlo.add %682, %683 : tensor<2x8x16xf32>
    %685 = stablehlo.dot_general %684, %arg47, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %686 = stablehlo.broadcast_in_dim %arg48, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %687 = stablehlo.broadcast_in_dim %686, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %688 = stablehlo.add %685, %687 : tensor<2x8x64xf32>
    %689 = stablehlo.slice %688 [0:2, 0:8, 0:32] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %690 = stablehlo.slice %688 [0:2, 0:8, 32:64] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %691 = stablehlo.multiply %689, %689 : tensor<2x8x32xf32>
    %692 = stablehlo.multiply %691, %689 : tensor<2x8x32xf32>
    %cst_199 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %693 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %694 = stablehlo.multiply %693, %692 : tensor<2x8x32xf32>
    %695 = stablehlo.add %689, %694 : tensor<2x8x32xf32>
    %cst_200 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %696 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %697 = stablehlo.multiply %696, %695 : tensor<2x8x32xf32>
    %698 = stablehlo.tanh %697 : tensor<2x8x32xf32>
    %cst_201 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %700 = stablehlo.add %699, %698 : tensor<2x8x32xf32>
    %cst_202 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %701 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %702 = stablehlo.multiply %701, %700 : tensor<2x8x32xf32>
    %703 = stablehlo.multiply %689, %702 : tensor<2x8x32xf32>
    %704 = call @silu(%690) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %705 = stablehlo.multiply %703, %704 : tensor<2x8x32xf32>
    %706 = stablehlo.dot_general %705, %arg41, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %cst_203 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %707 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %708 = stablehlo.add %706, %707 : tensor<2x8x16xf32>
    %c_204 = stablehlo.constant dense<true> : tensor<i1>
    %709 = stablehlo.broadcast_in_dim %c_204, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_205 = stablehlo.constant dense<true> : tensor<i1>
    %710 = stablehlo.broadcast_in_dim %c_205, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %711 = stablehlo.or %709, %710 : tensor<2x8x16xi1>
    %cst_206 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %712 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %713 = stablehlo.divide %708, %712 : tensor<2x8x16xf32>
    %cst_207 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %714 = call @_where_0(%711, %713, %cst_207) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_208 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %715 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %716 = stablehlo.multiply %715, %663 : tensor<2x8x16xf32>
    %cst_209 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %717 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %718 = stablehlo.multiply %717, %714 : tensor<2x8x16xf32>
    %719 = stablehlo.add %716, %718 : tensor<2x8x16xf32>
    %720 = stablehlo.slice %719 [0:2, 0:8, 0:8] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %721 = stablehlo.slice %719 [0:2, 0:8, 8:16] : (tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
    %c_210 = stablehlo.constant dense<0> : tensor<i32>
    %722 = call @_pad_3(%721, %c_210) : (tensor<2x8x8xf32>, tensor<i32>) -> tensor<2x9x8xf32>
    %723 = stablehlo.slice %722 [0:2, 0:8, 0:8] : (tensor<2x9x8xf32>) -> tensor<2x8x8xf32>
    %724 = stablehlo.concatenate %720, %723, dim = 2 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
    %cst_211 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %725 = stablehlo.reduce(%724 init: %cst_211) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %726 = stablehlo.broadcast_in_dim %725, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_212 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %728 = stablehlo.divide %726, %727 : tensor<2x8x1xf32>
    %729 = stablehlo.broadcast_in_dim %728, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %730 = stablehlo.subtract %724, %729 : tensor<2x8x16xf32>
    %731 = stablehlo.multiply %730, %730 : tensor<2x8x16xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %732 = stablehlo.reduce(%731 init: %cst_213) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %733 = stablehlo.broadcast_in_dim %732, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_214 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %734 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %735 = stablehlo.divide %733, %734 : tensor<2x8x1xf32>
    %cst_215 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %737 = stablehlo.add %735, %736 : tensor<2x8x1xf32>
    %738 = stablehlo.rsqrt %737 : tensor<2x8x1xf32>
    %739 = stablehlo.broadcast_in_dim %738, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %740 = stablehlo.multiply %730, %739 : tensor<2x8x16xf32>
    %741 = stablehlo.broadcast_in_dim %arg52, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %742 = stablehlo.broadcast_in_dim %741, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %743 = stablehlo.multiply %740, %742 : tensor<2x8x16xf32>
    %744 = stablehlo.broadcast_in_dim %arg50, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %745 = stablehlo.broadcast_in_dim %744, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %746 = stablehlo.add %743, %745 : tensor<2x8x16xf32>
    %747 = stablehlo.dot_general %746, %arg56, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %748 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %749 = stablehlo.add %747, %748 : tensor<2x8x16xf32>
    %750 = stablehlo.reshape %749 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %751 = stablehlo.transpose %750, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %752 = stablehlo.dot_general %746, %arg54, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_217 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %753 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %754 = stablehlo.add %752, %753 : tensor<2x8x16xf32>
    %755 = stablehlo.reshape %754 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %756 = stablehlo.transpose %755, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %757 = stablehlo.dot_general %746, %arg59, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_218 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %758 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %759 = stablehlo.add %757, %758 : tensor<2x8x16xf32>
    %760 = stablehlo.reshape %759 : (tensor<2x8x16xf32>) -> tensor<2x8x2x8xf32>
    %761 = stablehlo.transpose %760, dims = [0, 2, 1, 3] : (tensor<2x8x2x8xf32>) -> tensor<2x2x8x8xf32>
    %762 = stablehlo.dot_general %751, %756, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %cst_219 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %763 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %764 = stablehlo.divide %762, %763 : tensor<2x2x8x8xf32>
    %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %765 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %766 = stablehlo.add %764, %765 : tensor<2x2x8x8xf32>
    %cst_221 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %767 = call @_where_2(%62, %766, %cst_221) : (tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8x8xf32>
    %cst_222 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %768 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %769 = stablehlo.divide %767, %768 : tensor<2x2x8x8xf32>
    %cst_223 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %770 = stablehlo.reduce(%769 init: %cst_223) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %771 = stablehlo.broadcast_in_dim %770, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %772 = stablehlo.broadcast_in_dim %771, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %773 = stablehlo.subtract %769, %772 : tensor<2x2x8x8xf32>
    %774 = stablehlo.exponential %773 : tensor<2x2x8x8xf32>
    %cst_224 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %775 = stablehlo.reduce(%774 init: %cst_224) applies stablehlo.add across dimensions = [3] : (tensor<2x2x8x8xf32>, tensor<f32>) -> tensor<2x2x8xf32>
    %776 = stablehlo.broadcast_in_dim %775, dims = [0, 1, 2] : (tensor<2x2x8xf32>) -> tensor<2x2x8x1xf32>
    %777 = stablehlo.broadcast_in_dim %776, dims = [0, 1, 2, 3] : (tensor<2x2x8x1xf32>) -> tensor<2x2x8x8xf32>
    %778 = stablehlo.divide %774, %777 : tensor<2x2x8x8xf32>
    %779 = stablehlo.dot_general %778, %761, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x8x8xf32>, tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
    %780 = stablehlo.transpose %779, dims = [0, 2, 1, 3] : (tensor<2x2x8x8xf32>) -> tensor<2x8x2x8xf32>
    %781 = stablehlo.reshape %780 : (tensor<2x8x2x8xf32>) -> tensor<2x8x16xf32>
    %782 = stablehlo.dot_general %781, %arg55, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
    %cst_225 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %783 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %784 = stablehlo.add %782, %783 : tensor<2x8x16xf32>
    %c_226 = stablehlo.constant dense<true> : tensor<i1>
    %785 = stablehlo.broadcast_in_dim %c_226, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_227 = stablehlo.constant dense<true> : tensor<i1>
    %786 = stablehlo.broadcast_in_dim %c_227, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %787 = stablehlo.or %785, %786 : tensor<2x8x16xi1>
    %cst_228 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %788 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %789 = stablehlo.divide %784, %788 : tensor<2x8x16xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %790 = call @_where_0(%787, %789, %cst_229) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_230 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %791 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %792 = stablehlo.multiply %791, %719 : tensor<2x8x16xf32>
    %cst_231 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %793 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %794 = stablehlo.multiply %793, %790 : tensor<2x8x16xf32>
    %795 = stablehlo.add %792, %794 : tensor<2x8x16xf32>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %796 = stablehlo.reduce(%795 init: %cst_232) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %797 = stablehlo.broadcast_in_dim %796, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_233 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %798 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %799 = stablehlo.divide %797, %798 : tensor<2x8x1xf32>
    %800 = stablehlo.broadcast_in_dim %799, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %801 = stablehlo.subtract %795, %800 : tensor<2x8x16xf32>
    %802 = stablehlo.multiply %801, %801 : tensor<2x8x16xf32>
    %cst_234 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %803 = stablehlo.reduce(%802 init: %cst_234) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %804 = stablehlo.broadcast_in_dim %803, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_235 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %805 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %806 = stablehlo.divide %804, %805 : tensor<2x8x1xf32>
    %cst_236 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %807 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %808 = stablehlo.add %806, %807 : tensor<2x8x1xf32>
    %809 = stablehlo.rsqrt %808 : tensor<2x8x1xf32>
    %810 = stablehlo.broadcast_in_dim %809, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %811 = stablehlo.multiply %801, %810 : tensor<2x8x16xf32>
    %812 = stablehlo.broadcast_in_dim %arg53, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %813 = stablehlo.broadcast_in_dim %812, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<2x8x16xf32>
    %814 = stablehlo.multiply %811, %813 : tensor<2x8x16xf32>
    %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %815 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %816 = stablehlo.add %814, %815 : tensor<2x8x16xf32>
    %817 = stablehlo.dot_general %816, %arg57, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<16x64xf32>) -> tensor<2x8x64xf32>
    %818 = stablehlo.broadcast_in_dim %arg58, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %819 = stablehlo.broadcast_in_dim %818, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<2x8x64xf32>
    %820 = stablehlo.add %817, %819 : tensor<2x8x64xf32>
    %821 = stablehlo.slice %820 [0:2, 0:8, 0:32] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %822 = stablehlo.slice %820 [0:2, 0:8, 32:64] : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
    %823 = stablehlo.multiply %821, %821 : tensor<2x8x32xf32>
    %824 = stablehlo.multiply %823, %821 : tensor<2x8x32xf32>
    %cst_238 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %825 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %826 = stablehlo.multiply %825, %824 : tensor<2x8x32xf32>
    %827 = stablehlo.add %821, %826 : tensor<2x8x32xf32>
    %cst_239 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %828 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %829 = stablehlo.multiply %828, %827 : tensor<2x8x32xf32>
    %830 = stablehlo.tanh %829 : tensor<2x8x32xf32>
    %cst_240 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %831 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %832 = stablehlo.add %831, %830 : tensor<2x8x32xf32>
    %cst_241 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %833 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %834 = stablehlo.multiply %833, %832 : tensor<2x8x32xf32>
    %835 = stablehlo.multiply %821, %834 : tensor<2x8x32xf32>
    %836 = call @silu(%822) : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
    %837 = stablehlo.multiply %835, %836 : tensor<2x8x32xf32>
    %838 = stablehlo.dot_general %837, %arg51, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8x32xf32>, tensor<32x16xf32>) -> tensor<2x8x16xf32>
    %cst_242 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %839 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %840 = stablehlo.add %838, %839 : tensor<2x8x16xf32>
    %c_243 = stablehlo.constant dense<true> : tensor<i1>
    %841 = stablehlo.broadcast_in_dim %c_243, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %c_244 = stablehlo.constant dense<true> : tensor<i1>
    %842 = stablehlo.broadcast_in_dim %c_244, dims = [] : (tensor<i1>) -> tensor<2x8x16xi1>
    %843 = stablehlo.or %841, %842 : tensor<2x8x16xi1>
    %cst_245 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %844 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %845 = stablehlo.divide %840, %844 : tensor<2x8x16xf32>
    %cst_246 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %846 = call @_where_0(%843, %845, %cst_246) : (tensor<2x8x16xi1>, tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8x16xf32>
    %cst_247 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %847 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %848 = stablehlo.multiply %847, %795 : tensor<2x8x16xf32>
    %cst_248 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %849 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %850 = stablehlo.multiply %849, %846 : tensor<2x8x16xf32>
    %851 = stablehlo.add %848, %850 : tensor<2x8x16xf32>
    %cst_249 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %852 = stablehlo.reduce(%851 init: %cst_249) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %853 = stablehlo.broadcast_in_dim %852, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_250 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %854 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %855 = stablehlo.divide %853, %854 : tensor<2x8x1xf32>
    %856 = stablehlo.broadcast_in_dim %855, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %857 = stablehlo.subtract %851, %856 : tensor<2x8x16xf32>
    %858 = stablehlo.multiply %857, %857 : tensor<2x8x16xf32>
    %cst_251 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %859 = stablehlo.reduce(%858 init: %cst_251) applies stablehlo.add across dimensions = [2] : (tensor<2x8x16xf32>, tensor<f32>) -> tensor<2x8xf32>
    %860 = stablehlo.broadcast_in_dim %859, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %cst_252 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %861 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %862 = stablehlo.divide %860, %861 : tensor<2x8x1xf32>
    %cst_253 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %863 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<2x8x1xf32>
    %864 = stablehlo.add %862, %863 : tensor<2x8x1xf32>
    %865 = stablehlo.rsqrt %864 : tensor<2x8x1xf32>
    %866 = stablehlo.broadcast_in_dim %865, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x16xf32>
    %867 = stablehlo.multiply %857, %866 : tensor<2x8x16xf32>
    %cst_254 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %868 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %869 = stablehlo.multiply %867, %868 : tensor<2x8x16xf32>
    %cst_255 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %870 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %871 = stablehlo.add %869, %870 : tensor<2x8x16xf32>
    %872 = stablehlo.dot_general %871, %arg61, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x16xf32>, tensor<20x16xf32>) -> tensor<2x8x20xf32>
    %cst_256 = stablehlo.constant dense<0.0333333351> : tensor<f32>
    %873 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %874 = stablehlo.multiply %872, %873 : tensor<2x8x20xf32>
    %cst_257 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %875 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %876 = stablehlo.add %874, %875 : tensor<2x8x20xf32>
    %877 = stablehlo.tanh %876 : tensor<2x8x20xf32>
    %cst_258 = stablehlo.constant dense<3.000000e+01> : tensor<f32>
    %878 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %879 = stablehlo.multiply %878, %877 : tensor<2x8x20xf32>
    %cst_259 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %880 = stablehlo.reduce(%879 init: %cst_259) applies stablehlo.maximum across dimensions = [2] : (tensor<2x8x20xf32>, tensor<f32>) -> tensor<2x8xf32>
    %881 = stablehlo.broadcast_in_dim %880, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %882 = stablehlo.broadcast_in_dim %881, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x20xf32>
    %883 = stablehlo.subtract %879, %882 : tensor<2x8x20xf32>
    %884 = stablehlo.exponential %883 : tensor<2x8x20xf32>
    %cst_260 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %885 = stablehlo.reduce(%884 init: %cst_260) applies stablehlo.add across dimensions = [2] : (tensor<2x8x20xf32>, tensor<f32>) -> tensor<2x8xf32>
    %886 = stablehlo.broadcast_in_dim %885, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
    %887 = stablehlo.log %886 : tensor<2x8x1xf32>
    %888 = stablehlo.broadcast_in_dim %887, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x20xf32>
    %889 = stablehlo.subtract %883, %888 : tensor<2x8x20xf32>
    %890 = stablehlo.iota dim = 2 : tensor<2x8x20xi32>
    %891 = stablehlo.broadcast_in_dim %arg60, dims = [0, 1] : (tensor<2x8xi32>) -> tensor<2x8x1xi32>
    %892 = stablehlo.broadcast_in_dim %891, dims = [0, 1, 2] : (tensor<2x8x1xi32>) -> tensor<2x8x20xi32>
    %893 = stablehlo.compare EQ, %892, %890, SIGNED : (tensor<2x8x20xi32>, tensor<2x8x20xi32>) -> tensor<2x8x20xi1>
    %cst_261 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_262 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %894 = call @_where(%893, %cst_261, %cst_262) : (tensor<2x8x20xi1>, tensor<f32>, tensor<f32>) -> tensor<2x8x20xf32>
    %cst_263 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %895 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %896 = stablehlo.multiply %894, %895 : tensor<2x8x20xf32>
    %cst_264 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %897 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %898 = stablehlo.add %896, %897 : tensor<2x8x20xf32>
    %899 = stablehlo.convert %898 : tensor<2x8x20xf32>
    %900 = stablehlo.multiply %899, %889 : tensor<2x8x20xf32>
    %cst_265 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %901 = stablehlo.reduce(%900 init: %cst_265) applies stablehlo.add across dimensions = [2] : (tensor<2x8x20xf32>, tensor<f32>) -> tensor<2x8xf32>
    %902 = stablehlo.negate %901 : tensor<2x8xf32>
    %c_266 = stablehlo.constant dense<0> : tensor<i32>
    %903 = stablehlo.broadcast_in_dim %c_266, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %904 = stablehlo.compare GT, %arg60, %903, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %905 = stablehlo.convert %904 : (tensor<2x8xi1>) -> tensor<2x8xf32>
    %cst_267 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %906 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %907 = stablehlo.multiply %905, %906 : tensor<2x8xf32>
    %cst_268 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %908 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %909 = stablehlo.add %907, %908 : tensor<2x8xf32>
    %910 = stablehlo.multiply %902, %909 : tensor<2x8xf32>
    %cst_269 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %911 = stablehlo.reduce(%910 init: %cst_269) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_270 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %912 = stablehlo.reduce(%909 init: %cst_270) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_271 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %913 = stablehlo.maximum %912, %cst_271 : tensor<f32>
    %914 = stablehlo.divide %911, %913 : tensor<f32>
    return %914, %889 : tensor<f32>, tensor<2x8x20xf32>
  }
  func.func private @_pad(%arg0: tensor<2x8xi32>, %arg1: tensor<i32>) -> tensor<2x9xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<2x8xi32>, tensor<i32>) -> tensor<2x9xi32>
    return %1 : tensor<2x9xi32>
  }
  func.func private @_where(%arg0: tensor<2x8x20xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<2x8x20xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x8x20xf32>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<2x8x20xi1>, tensor<2x8x20xf32>
    return %2 : tensor<2x8x20xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x8x16xi1>, %arg1: tensor<2x8x16xf32>, %arg2: tensor<f32>) -> tensor<2x8x16xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x8x16xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x8x16xi1>, tensor<2x8x16xf32>
    return %2 : tensor<2x8x16xf32>
  }
  func.func private @_pad_1(%arg0: tensor<2x8x8xf32>, %arg1: tensor<i32>) -> tensor<2x8x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x8x8xf32>
    return %1 : tensor<2x8x8xf32>
  }
  func.func private @_where_2(%arg0: tensor<2x2x8x8xi1>, %arg1: tensor<2x2x8x8xf32>, %arg2: tensor<f32>) -> tensor<2x2x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x2x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x8x8xi1>, tensor<2x2x8x8xf32>
    return %1 : tensor<2x2x8x8xf32>
  }
  func.func private @silu(%arg0: tensor<2x8x32xf32>) -> tensor<2x8x32xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x8x32xf32>
    %1 = stablehlo.exponential %0 : tensor<2x8x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<2x8x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<2x8x32xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<2x8x32xf32>
    return %6 : tensor<2x8x32xf32>
  }
  func.func private @_pad_3(%arg0: tensor<2x8x8xf32>, %arg1: tensor<i32>) -> tensor<2x9x8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x9x8xf32>
    return %1 : tensor<2x9x8xf32>
  }
}
