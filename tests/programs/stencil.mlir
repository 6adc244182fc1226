module @jit_stencil attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x20xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<16x20xf32> {tf.aliasing_output = 8 : i32}, %arg2: tensor<16x20xi1>, %arg3: tensor<16x20xf32>) -> (tensor<16x20xf32> {jax.result_info = "result['before']"}, tensor<16x20xi1> {jax.result_info = "result['board']"}, tensor<16xi32> {jax.result_info = "result['by_row']"}, tensor<i1> {jax.result_info = "result['changed']"}, tensor<4x5xf32> {jax.result_info = "result['coarse']"}, tensor<f32> {jax.result_info = "result['energy']"}, tensor<i32> {jax.result_info = "result['first_row']"}, tensor<20xi1> {jax.result_info = "result['full_cols']"}, tensor<16x20xf32> {jax.result_info = "result['inner']"}, tensor<i32> {jax.result_info = "result['last_row']"}, tensor<i32> {jax.result_info = "result['population']"}, tensor<16x20xf32> {jax.result_info = "result['slope']"}, tensor<16x20xf32> {jax.result_info = "result['u']"}) {
    %c = stablehlo.constant dense<"0x0100000000000001000000000000010000000000000000000000010000000000000100000000000000000000000100000000000001000000000000010000000001000000000000010000000000000100000000010000000000000100000000000001000000000100000000000001000000000000010000000001000000000000010000000000000100000000010000000000000100000000000001000000000000000000000001000000000000010000000000000000000000010000000000000100000000000001000000000100000000000001000000000000010000000001000000000000010000000000000100000000010000000000000100000000000001000000000100000000000001000000000000010000000001000000000000010000000000000100000000000000000000000100000000000001000000000000"> : tensor<16x20xi1>
    %0 = stablehlo.iota dim = 0 : tensor<16x20xi32>
    %1 = stablehlo.iota dim = 1 : tensor<16x20xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %3 = stablehlo.compare EQ, %0, %2, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %c_1 = stablehlo.constant dense<15> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %5 = stablehlo.compare EQ, %0, %4, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %6 = stablehlo.or %3, %5 : tensor<16x20xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %8 = stablehlo.compare EQ, %1, %7, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %9 = stablehlo.or %6, %8 : tensor<16x20xi1>
    %c_3 = stablehlo.constant dense<19> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %11 = stablehlo.compare EQ, %1, %10, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %12 = stablehlo.or %9, %11 : tensor<16x20xi1>
    %13 = stablehlo.or %12, %c : tensor<16x20xi1>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %15 = stablehlo.multiply %14, %arg0 : tensor<16x20xf32>
    %16 = stablehlo.subtract %15, %arg1 : tensor<16x20xf32>
    %17 = call @_roll_static(%arg0) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %18 = call @_roll_static_0(%17) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %19 = call @_roll_static_1(%arg0) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %20 = call @_roll_static_0(%19) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %21 = stablehlo.add %18, %20 : tensor<16x20xf32>
    %22 = call @_roll_static_2(%arg0) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %23 = call @_roll_static_3(%22) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %24 = stablehlo.add %21, %23 : tensor<16x20xf32>
    %25 = call @_roll_static_2(%arg0) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %26 = call @_roll_static_4(%25) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %27 = stablehlo.add %24, %26 : tensor<16x20xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %29 = stablehlo.multiply %28, %arg0 : tensor<16x20xf32>
    %30 = stablehlo.subtract %27, %29 : tensor<16x20xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %32 = stablehlo.divide %30, %31 : tensor<16x20xf32>
    %cst_6 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %34 = stablehlo.multiply %33, %32 : tensor<16x20xf32>
    %35 = stablehlo.add %16, %34 : tensor<16x20xf32>
    %36 = stablehlo.subtract %arg0, %arg1 : tensor<16x20xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<16x20xf32>
    %39 = stablehlo.subtract %35, %38 : tensor<16x20xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %41 = stablehlo.multiply %39, %40 : tensor<16x20xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %43 = stablehlo.add %41, %42 : tensor<16x20xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = call @_where(%13, %cst_10, %43) : (tensor<16x20xi1>, tensor<f32>, tensor<16x20xf32>) -> tensor<16x20xf32>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<16x20xf32>
    %47 = stablehlo.subtract %46, %arg0 : tensor<16x20xf32>
    %48 = call @_roll_static(%44) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %49 = call @_roll_static_0(%48) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %50 = call @_roll_static_1(%44) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %51 = call @_roll_static_0(%50) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %52 = stablehlo.add %49, %51 : tensor<16x20xf32>
    %53 = call @_roll_static_2(%44) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %54 = call @_roll_static_3(%53) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %55 = stablehlo.add %52, %54 : tensor<16x20xf32>
    %56 = call @_roll_static_2(%44) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %57 = call @_roll_static_4(%56) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %58 = stablehlo.add %55, %57 : tensor<16x20xf32>
    %cst_12 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %60 = stablehlo.multiply %59, %44 : tensor<16x20xf32>
    %61 = stablehlo.subtract %58, %60 : tensor<16x20xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %63 = stablehlo.divide %61, %62 : tensor<16x20xf32>
    %cst_14 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %65 = stablehlo.multiply %64, %63 : tensor<16x20xf32>
    %66 = stablehlo.add %47, %65 : tensor<16x20xf32>
    %67 = stablehlo.subtract %44, %arg0 : tensor<16x20xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<16x20xf32>
    %70 = stablehlo.subtract %66, %69 : tensor<16x20xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %72 = stablehlo.multiply %70, %71 : tensor<16x20xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %74 = stablehlo.add %72, %73 : tensor<16x20xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = call @_where(%13, %cst_18, %74) : (tensor<16x20xi1>, tensor<f32>, tensor<16x20xf32>) -> tensor<16x20xf32>
    %76 = call @_roll_static_5(%75) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %77 = call @_roll_static_6(%76) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %78 = call @_roll_static_2(%77) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %79 = call @_roll_static_0(%78) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %80 = call @_roll_static_2(%79) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %81 = call @_roll_static_3(%80) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %82 = stablehlo.subtract %79, %81 : tensor<16x20xf32>
    %83 = call @_roll_static_2(%79) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %84 = call @_roll_static_4(%83) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %85 = stablehlo.subtract %84, %79 : tensor<16x20xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %87 = stablehlo.compare GT, %arg3, %86, FLOAT : (tensor<16x20xf32>, tensor<16x20xf32>) -> tensor<16x20xi1>
    %88 = stablehlo.multiply %arg3, %82 : tensor<16x20xf32>
    %89 = stablehlo.multiply %arg3, %85 : tensor<16x20xf32>
    %90 = call @_where_7(%87, %88, %89) : (tensor<16x20xi1>, tensor<16x20xf32>, tensor<16x20xf32>) -> tensor<16x20xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<16x20xf32>
    %93 = stablehlo.subtract %79, %92 : tensor<16x20xf32>
    %94 = call @_roll_static_2(%93) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %95 = call @_roll_static_8(%94) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %96 = call @_roll_static_9(%95) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %97 = call @_roll_static_0(%96) : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %98 = call @_pad(%97, %c_21) : (tensor<16x20xf32>, tensor<i32>) -> tensor<18x22xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %99 = call @_pad_10(%98, %c_22) : (tensor<18x22xf32>, tensor<i32>) -> tensor<22x26xf32>
    %100 = stablehlo.slice %99 [2:20, 2:24] : (tensor<22x26xf32>) -> tensor<18x22xf32>
    %101 = stablehlo.slice %100 [1:17, 1:21] : (tensor<18x22xf32>) -> tensor<16x20xf32>
    %102 = stablehlo.slice %99 [3:19, 4:24] : (tensor<22x26xf32>) -> tensor<16x20xf32>
    %103 = stablehlo.slice %99 [3:19, 2:22] : (tensor<22x26xf32>) -> tensor<16x20xf32>
    %104 = stablehlo.subtract %102, %103 : tensor<16x20xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %106 = stablehlo.divide %104, %105 : tensor<16x20xf32>
    %107 = stablehlo.slice %99 [4:20, 3:23] : (tensor<22x26xf32>) -> tensor<16x20xf32>
    %108 = stablehlo.slice %99 [2:18, 3:23] : (tensor<22x26xf32>) -> tensor<16x20xf32>
    %109 = stablehlo.subtract %107, %108 : tensor<16x20xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %111 = stablehlo.divide %109, %110 : tensor<16x20xf32>
    %112 = stablehlo.multiply %106, %106 : tensor<16x20xf32>
    %113 = stablehlo.multiply %111, %111 : tensor<16x20xf32>
    %114 = stablehlo.add %112, %113 : tensor<16x20xf32>
    %115 = stablehlo.sqrt %114 : tensor<16x20xf32>
    %116 = stablehlo.convert %arg2 : (tensor<16x20xi1>) -> tensor<16x20xi32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %117 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %118 = call @_roll_static_11(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %119 = call @_roll_static_12(%118) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %120 = stablehlo.add %117, %119 : tensor<16x20xi32>
    %121 = call @_roll_static_11(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %122 = call @_roll_static_13(%121) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %123 = stablehlo.add %120, %122 : tensor<16x20xi32>
    %124 = call @_roll_static_11(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %125 = call @_roll_static_14(%124) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %126 = stablehlo.add %123, %125 : tensor<16x20xi32>
    %127 = call @_roll_static_15(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %128 = call @_roll_static_12(%127) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %129 = stablehlo.add %126, %128 : tensor<16x20xi32>
    %130 = call @_roll_static_15(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %131 = call @_roll_static_13(%130) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %132 = stablehlo.add %129, %131 : tensor<16x20xi32>
    %133 = call @_roll_static_15(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %134 = call @_roll_static_14(%133) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %135 = stablehlo.add %132, %134 : tensor<16x20xi32>
    %136 = call @_roll_static_16(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %137 = call @_roll_static_12(%136) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %138 = stablehlo.add %135, %137 : tensor<16x20xi32>
    %139 = call @_roll_static_16(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %140 = call @_roll_static_13(%139) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %141 = stablehlo.add %138, %140 : tensor<16x20xi32>
    %142 = call @_roll_static_16(%116) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %143 = call @_roll_static_14(%142) : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %144 = stablehlo.add %141, %143 : tensor<16x20xi32>
    %145 = stablehlo.subtract %144, %116 : tensor<16x20xi32>
    %c_26 = stablehlo.constant dense<false> : tensor<i1>
    %146 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i1>) -> tensor<16x20xi1>
    %c_27 = stablehlo.constant dense<false> : tensor<i1>
    %147 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i1>) -> tensor<16x20xi1>
    %c_28 = stablehlo.constant dense<2> : tensor<i32>
    %148 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %149 = stablehlo.compare EQ, %145, %148, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %150 = stablehlo.or %147, %149 : tensor<16x20xi1>
    %c_29 = stablehlo.constant dense<3> : tensor<i32>
    %151 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %152 = stablehlo.compare EQ, %145, %151, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %153 = stablehlo.or %146, %152 : tensor<16x20xi1>
    %c_30 = stablehlo.constant dense<3> : tensor<i32>
    %154 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %155 = stablehlo.compare EQ, %145, %154, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %156 = stablehlo.or %150, %155 : tensor<16x20xi1>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %157 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %158 = stablehlo.compare NE, %116, %157, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %159 = call @_where_17(%158, %156, %153) : (tensor<16x20xi1>, tensor<16x20xi1>, tensor<16x20xi1>) -> tensor<16x20xi1>
    %160 = stablehlo.convert %159 : (tensor<16x20xi1>) -> tensor<16x20xi32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %161 = call @_pad_18(%160, %c_32) : (tensor<16x20xi32>, tensor<i32>) -> tensor<18x22xi32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %162 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<18x22xi32>
    %163 = call @_roll_static_19(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %164 = call @_roll_static_20(%163) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %165 = stablehlo.add %162, %164 : tensor<18x22xi32>
    %166 = call @_roll_static_19(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %167 = call @_roll_static_21(%166) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %168 = stablehlo.add %165, %167 : tensor<18x22xi32>
    %169 = call @_roll_static_19(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %170 = call @_roll_static_22(%169) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %171 = stablehlo.add %168, %170 : tensor<18x22xi32>
    %172 = call @_roll_static_23(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %173 = call @_roll_static_20(%172) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %174 = stablehlo.add %171, %173 : tensor<18x22xi32>
    %175 = call @_roll_static_23(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %176 = call @_roll_static_21(%175) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %177 = stablehlo.add %174, %176 : tensor<18x22xi32>
    %178 = call @_roll_static_23(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %179 = call @_roll_static_22(%178) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %180 = stablehlo.add %177, %179 : tensor<18x22xi32>
    %181 = call @_roll_static_24(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %182 = call @_roll_static_20(%181) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %183 = stablehlo.add %180, %182 : tensor<18x22xi32>
    %184 = call @_roll_static_24(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %185 = call @_roll_static_21(%184) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %186 = stablehlo.add %183, %185 : tensor<18x22xi32>
    %187 = call @_roll_static_24(%161) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %188 = call @_roll_static_22(%187) : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %189 = stablehlo.add %186, %188 : tensor<18x22xi32>
    %190 = stablehlo.subtract %189, %161 : tensor<18x22xi32>
    %191 = stablehlo.slice %190 [1:17, 1:21] : (tensor<18x22xi32>) -> tensor<16x20xi32>
    %192 = stablehlo.slice %161 [1:17, 1:21] : (tensor<18x22xi32>) -> tensor<16x20xi32>
    %c_34 = stablehlo.constant dense<false> : tensor<i1>
    %193 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i1>) -> tensor<16x20xi1>
    %c_35 = stablehlo.constant dense<false> : tensor<i1>
    %194 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i1>) -> tensor<16x20xi1>
    %c_36 = stablehlo.constant dense<2> : tensor<i32>
    %195 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %196 = stablehlo.compare EQ, %191, %195, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %197 = stablehlo.or %194, %196 : tensor<16x20xi1>
    %c_37 = stablehlo.constant dense<3> : tensor<i32>
    %198 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %199 = stablehlo.compare EQ, %191, %198, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %200 = stablehlo.or %193, %199 : tensor<16x20xi1>
    %c_38 = stablehlo.constant dense<3> : tensor<i32>
    %201 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %202 = stablehlo.compare EQ, %191, %201, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %203 = stablehlo.or %197, %202 : tensor<16x20xi1>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %204 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %205 = stablehlo.compare NE, %192, %204, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %206 = call @_where_17(%205, %203, %200) : (tensor<16x20xi1>, tensor<16x20xi1>, tensor<16x20xi1>) -> tensor<16x20xi1>
    %207 = stablehlo.slice %206 [0:8, 0:20] : (tensor<16x20xi1>) -> tensor<8x20xi1>
    %208 = stablehlo.slice %206 [8:16, 0:20] : (tensor<16x20xi1>) -> tensor<8x20xi1>
    %209 = stablehlo.concatenate %207, %208, dim = 0 : (tensor<8x20xi1>, tensor<8x20xi1>) -> tensor<16x20xi1>
    %210 = call @_flip(%209) : (tensor<16x20xi1>) -> tensor<16x20xi1>
    %211 = call @_flip_25(%210) : (tensor<16x20xi1>) -> tensor<16x20xi1>
    %212 = call @_flip_26(%211) : (tensor<16x20xi1>) -> tensor<16x20xi1>
    %213 = stablehlo.xor %212, %arg2 : tensor<16x20xi1>
    %c_40 = stablehlo.constant dense<false> : tensor<i1>
    %214 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i1>) -> tensor<16x20xi1>
    %215 = stablehlo.not %214 : tensor<16x20xi1>
    %216 = stablehlo.and %213, %215 : tensor<16x20xi1>
    %217 = stablehlo.slice %97 [0:16:2, 0:20:2] : (tensor<16x20xf32>) -> tensor<8x10xf32>
    %218 = stablehlo.slice %217 [0:8:2, 1:10:2] : (tensor<8x10xf32>) -> tensor<4x5xf32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %219 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %220 = stablehlo.compare GE, %0, %219, SIGNED : (tensor<16x20xi32>, tensor<16x20xi32>) -> tensor<16x20xi1>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %221 = call @_where_27(%220, %101, %cst_42) : (tensor<16x20xi1>, tensor<16x20xf32>, tensor<f32>) -> tensor<16x20xf32>
    %222 = stablehlo.convert %212 : (tensor<16x20xi1>) -> tensor<16x20xi32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %223 = stablehlo.reduce(%222 init: %c_43) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x20xi32>, tensor<i32>) -> tensor<i32>
    %224 = stablehlo.convert %212 : (tensor<16x20xi1>) -> tensor<16x20xi32>
    %c_44 = stablehlo.constant dense<0> : tensor<i32>
    %225 = stablehlo.reduce(%224 init: %c_44) applies stablehlo.add across dimensions = [1] : (tensor<16x20xi32>, tensor<i32>) -> tensor<16xi32>
    %c_45 = stablehlo.constant dense<true> : tensor<i1>
    %226 = stablehlo.reduce(%212 init: %c_45) applies stablehlo.and across dimensions = [0] : (tensor<16x20xi1>, tensor<i1>) -> tensor<20xi1>
    %c_46 = stablehlo.constant dense<false> : tensor<i1>
    %227 = stablehlo.reduce(%216 init: %c_46) applies stablehlo.or across dimensions = [0, 1] : (tensor<16x20xi1>, tensor<i1>) -> tensor<i1>
    %228 = stablehlo.subtract %97, %44 : tensor<16x20xf32>
    %229 = stablehlo.multiply %97, %97 : tensor<16x20xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%229 init: %cst_47) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x20xf32>, tensor<f32>) -> tensor<f32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %231 = stablehlo.multiply %cst_48, %230 : tensor<f32>
    %232 = stablehlo.multiply %228, %228 : tensor<16x20xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.reduce(%232 init: %cst_49) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x20xf32>, tensor<f32>) -> tensor<f32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.multiply %cst_50, %233 : tensor<f32>
    %235 = stablehlo.add %231, %234 : tensor<f32>
    %c_51 = stablehlo.constant dense<16> : tensor<i32>
    %236 = call @_where_28(%212, %0, %c_51) : (tensor<16x20xi1>, tensor<16x20xi32>, tensor<i32>) -> tensor<16x20xi32>
    %c_52 = stablehlo.constant dense<2147483647> : tensor<i32>
    %237 = stablehlo.reduce(%236 init: %c_52) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<16x20xi32>, tensor<i32>) -> tensor<i32>
    %c_53 = stablehlo.constant dense<-1> : tensor<i32>
    %238 = call @_where_28(%212, %0, %c_53) : (tensor<16x20xi1>, tensor<16x20xi32>, tensor<i32>) -> tensor<16x20xi32>
    %c_54 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %239 = stablehlo.reduce(%238 init: %c_54) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<16x20xi32>, tensor<i32>) -> tensor<i32>
    return %44, %212, %225, %227, %218, %235, %237, %226, %221, %239, %223, %115, %97 : tensor<16x20xf32>, tensor<16x20xi1>, tensor<16xi32>, tensor<i1>, tensor<4x5xf32>, tensor<f32>, tensor<i32>, tensor<20xi1>, tensor<16x20xf32>, tensor<i32>, tensor<i32>, tensor<16x20xf32>, tensor<16x20xf32>
  }
  func.func private @_roll_static(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [15:16, 0:20] : (tensor<16x20xf32>) -> tensor<1x20xf32>
    %1 = stablehlo.slice %arg0 [0:15, 0:20] : (tensor<16x20xf32>) -> tensor<15x20xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x20xf32>, tensor<15x20xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [0:16, 0:20] : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %1 = stablehlo.slice %arg0 [0:16, 0:0] : (tensor<16x20xf32>) -> tensor<16x0xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x20xf32>, tensor<16x0xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_1(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [1:16, 0:20] : (tensor<16x20xf32>) -> tensor<15x20xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:20] : (tensor<16x20xf32>) -> tensor<1x20xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<15x20xf32>, tensor<1x20xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_2(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [0:16, 0:20] : (tensor<16x20xf32>) -> tensor<16x20xf32>
    %1 = stablehlo.slice %arg0 [0:0, 0:20] : (tensor<16x20xf32>) -> tensor<0x20xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<16x20xf32>, tensor<0x20xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_3(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [0:16, 19:20] : (tensor<16x20xf32>) -> tensor<16x1xf32>
    %1 = stablehlo.slice %arg0 [0:16, 0:19] : (tensor<16x20xf32>) -> tensor<16x19xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x1xf32>, tensor<16x19xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_4(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [0:16, 1:20] : (tensor<16x20xf32>) -> tensor<16x19xf32>
    %1 = stablehlo.slice %arg0 [0:16, 0:1] : (tensor<16x20xf32>) -> tensor<16x1xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x19xf32>, tensor<16x1xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_where(%arg0: tensor<16x20xi1>, %arg1: tensor<f32>, %arg2: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<16x20xi1>, tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_5(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [13:16, 0:20] : (tensor<16x20xf32>) -> tensor<3x20xf32>
    %1 = stablehlo.slice %arg0 [0:13, 0:20] : (tensor<16x20xf32>) -> tensor<13x20xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3x20xf32>, tensor<13x20xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_6(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [0:16, 18:20] : (tensor<16x20xf32>) -> tensor<16x2xf32>
    %1 = stablehlo.slice %arg0 [0:16, 0:18] : (tensor<16x20xf32>) -> tensor<16x18xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x2xf32>, tensor<16x18xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_where_7(%arg0: tensor<16x20xi1>, %arg1: tensor<16x20xf32>, %arg2: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<16x20xi1>, tensor<16x20xf32>
    return %0 : tensor<16x20xf32>
  }
  func.func private @_roll_static_8(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [0:16, 2:20] : (tensor<16x20xf32>) -> tensor<16x18xf32>
    %1 = stablehlo.slice %arg0 [0:16, 0:2] : (tensor<16x20xf32>) -> tensor<16x2xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x18xf32>, tensor<16x2xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_roll_static_9(%arg0: tensor<16x20xf32>) -> tensor<16x20xf32> {
    %0 = stablehlo.slice %arg0 [3:16, 0:20] : (tensor<16x20xf32>) -> tensor<13x20xf32>
    %1 = stablehlo.slice %arg0 [0:3, 0:20] : (tensor<16x20xf32>) -> tensor<3x20xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<13x20xf32>, tensor<3x20xf32>) -> tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_pad(%arg0: tensor<16x20xf32>, %arg1: tensor<i32>) -> tensor<18x22xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<16x20xf32>, tensor<f32>) -> tensor<18x22xf32>
    return %1 : tensor<18x22xf32>
  }
  func.func private @_pad_10(%arg0: tensor<18x22xf32>, %arg1: tensor<i32>) -> tensor<22x26xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [2, 2], high = [2, 2], interior = [0, 0] : (tensor<18x22xf32>, tensor<f32>) -> tensor<22x26xf32>
    return %1 : tensor<22x26xf32>
  }
  func.func private @_roll_static_11(%arg0: tensor<16x20xi32>) -> tensor<16x20xi32> {
    %0 = stablehlo.slice %arg0 [1:16, 0:20] : (tensor<16x20xi32>) -> tensor<15x20xi32>
    %1 = stablehlo.slice %arg0 [0:1, 0:20] : (tensor<16x20xi32>) -> tensor<1x20xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<15x20xi32>, tensor<1x20xi32>) -> tensor<16x20xi32>
    return %2 : tensor<16x20xi32>
  }
  func.func private @_roll_static_12(%arg0: tensor<16x20xi32>) -> tensor<16x20xi32> {
    %0 = stablehlo.slice %arg0 [0:16, 1:20] : (tensor<16x20xi32>) -> tensor<16x19xi32>
    %1 = stablehlo.slice %arg0 [0:16, 0:1] : (tensor<16x20xi32>) -> tensor<16x1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x19xi32>, tensor<16x1xi32>) -> tensor<16x20xi32>
    return %2 : tensor<16x20xi32>
  }
  func.func private @_roll_static_13(%arg0: tensor<16x20xi32>) -> tensor<16x20xi32> {
    %0 = stablehlo.slice %arg0 [0:16, 0:20] : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %1 = stablehlo.slice %arg0 [0:16, 0:0] : (tensor<16x20xi32>) -> tensor<16x0xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x20xi32>, tensor<16x0xi32>) -> tensor<16x20xi32>
    return %2 : tensor<16x20xi32>
  }
  func.func private @_roll_static_14(%arg0: tensor<16x20xi32>) -> tensor<16x20xi32> {
    %0 = stablehlo.slice %arg0 [0:16, 19:20] : (tensor<16x20xi32>) -> tensor<16x1xi32>
    %1 = stablehlo.slice %arg0 [0:16, 0:19] : (tensor<16x20xi32>) -> tensor<16x19xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<16x1xi32>, tensor<16x19xi32>) -> tensor<16x20xi32>
    return %2 : tensor<16x20xi32>
  }
  func.func private @_roll_static_15(%arg0: tensor<16x20xi32>) -> tensor<16x20xi32> {
    %0 = stablehlo.slice %arg0 [0:16, 0:20] : (tensor<16x20xi32>) -> tensor<16x20xi32>
    %1 = stablehlo.slice %arg0 [0:0, 0:20] : (tensor<16x20xi32>) -> tensor<0x20xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<16x20xi32>, tensor<0x20xi32>) -> tensor<16x20xi32>
    return %2 : tensor<16x20xi32>
  }
  func.func private @_roll_static_16(%arg0: tensor<16x20xi32>) -> tensor<16x20xi32> {
    %0 = stablehlo.slice %arg0 [15:16, 0:20] : (tensor<16x20xi32>) -> tensor<1x20xi32>
    %1 = stablehlo.slice %arg0 [0:15, 0:20] : (tensor<16x20xi32>) -> tensor<15x20xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x20xi32>, tensor<15x20xi32>) -> tensor<16x20xi32>
    return %2 : tensor<16x20xi32>
  }
  func.func private @_where_17(%arg0: tensor<16x20xi1>, %arg1: tensor<16x20xi1>, %arg2: tensor<16x20xi1>) -> tensor<16x20xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<16x20xi1>, tensor<16x20xi1>
    return %0 : tensor<16x20xi1>
  }
  func.func private @_pad_18(%arg0: tensor<16x20xi32>, %arg1: tensor<i32>) -> tensor<18x22xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<16x20xi32>, tensor<i32>) -> tensor<18x22xi32>
    return %1 : tensor<18x22xi32>
  }
  func.func private @_roll_static_19(%arg0: tensor<18x22xi32>) -> tensor<18x22xi32> {
    %0 = stablehlo.slice %arg0 [1:18, 0:22] : (tensor<18x22xi32>) -> tensor<17x22xi32>
    %1 = stablehlo.slice %arg0 [0:1, 0:22] : (tensor<18x22xi32>) -> tensor<1x22xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<17x22xi32>, tensor<1x22xi32>) -> tensor<18x22xi32>
    return %2 : tensor<18x22xi32>
  }
  func.func private @_roll_static_20(%arg0: tensor<18x22xi32>) -> tensor<18x22xi32> {
    %0 = stablehlo.slice %arg0 [0:18, 1:22] : (tensor<18x22xi32>) -> tensor<18x21xi32>
    %1 = stablehlo.slice %arg0 [0:18, 0:1] : (tensor<18x22xi32>) -> tensor<18x1xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<18x21xi32>, tensor<18x1xi32>) -> tensor<18x22xi32>
    return %2 : tensor<18x22xi32>
  }
  func.func private @_roll_static_21(%arg0: tensor<18x22xi32>) -> tensor<18x22xi32> {
    %0 = stablehlo.slice %arg0 [0:18, 0:22] : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %1 = stablehlo.slice %arg0 [0:18, 0:0] : (tensor<18x22xi32>) -> tensor<18x0xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<18x22xi32>, tensor<18x0xi32>) -> tensor<18x22xi32>
    return %2 : tensor<18x22xi32>
  }
  func.func private @_roll_static_22(%arg0: tensor<18x22xi32>) -> tensor<18x22xi32> {
    %0 = stablehlo.slice %arg0 [0:18, 21:22] : (tensor<18x22xi32>) -> tensor<18x1xi32>
    %1 = stablehlo.slice %arg0 [0:18, 0:21] : (tensor<18x22xi32>) -> tensor<18x21xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<18x1xi32>, tensor<18x21xi32>) -> tensor<18x22xi32>
    return %2 : tensor<18x22xi32>
  }
  func.func private @_roll_static_23(%arg0: tensor<18x22xi32>) -> tensor<18x22xi32> {
    %0 = stablehlo.slice %arg0 [0:18, 0:22] : (tensor<18x22xi32>) -> tensor<18x22xi32>
    %1 = stablehlo.slice %arg0 [0:0, 0:22] : (tensor<18x22xi32>) -> tensor<0x22xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<18x22xi32>, tensor<0x22xi32>) -> tensor<18x22xi32>
    return %2 : tensor<18x22xi32>
  }
  func.func private @_roll_static_24(%arg0: tensor<18x22xi32>) -> tensor<18x22xi32> {
    %0 = stablehlo.slice %arg0 [17:18, 0:22] : (tensor<18x22xi32>) -> tensor<1x22xi32>
    %1 = stablehlo.slice %arg0 [0:17, 0:22] : (tensor<18x22xi32>) -> tensor<17x22xi32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x22xi32>, tensor<17x22xi32>) -> tensor<18x22xi32>
    return %2 : tensor<18x22xi32>
  }
  func.func private @_flip(%arg0: tensor<16x20xi1>) -> tensor<16x20xi1> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<16x20xi1>
    return %0 : tensor<16x20xi1>
  }
  func.func private @_flip_25(%arg0: tensor<16x20xi1>) -> tensor<16x20xi1> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<16x20xi1>
    return %0 : tensor<16x20xi1>
  }
  func.func private @_flip_26(%arg0: tensor<16x20xi1>) -> tensor<16x20xi1> {
    %0 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<16x20xi1>
    return %0 : tensor<16x20xi1>
  }
  func.func private @_where_27(%arg0: tensor<16x20xi1>, %arg1: tensor<16x20xf32>, %arg2: tensor<f32>) -> tensor<16x20xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16x20xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<16x20xi1>, tensor<16x20xf32>
    return %2 : tensor<16x20xf32>
  }
  func.func private @_where_28(%arg0: tensor<16x20xi1>, %arg1: tensor<16x20xi32>, %arg2: tensor<i32>) -> tensor<16x20xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<16x20xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<16x20xi1>, tensor<16x20xi32>
    return %2 : tensor<16x20xi32>
  }
}
