"builtin.module"() <{sym_name = "jit_image_pipeline"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}], function_type = (tensor<2x24x32x3xui8>, tensor<3xf32>, tensor<3xf32>, tensor<5x7x3xf32>) -> (tensor<2x3xf32>, tensor<2xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x16x16x3xf32>, tensor<2x24x64x3xui8>, tensor<2x9x9x3xui8>, tensor<2xi1>), res_attrs = [{jax.result_info = "result['brightest']"}, {jax.result_info = "result['clipped']"}, {jax.result_info = "result['darkest']"}, {jax.result_info = "result['mean']"}, {jax.result_info = "result['normal']"}, {jax.result_info = "result['pair']"}, {jax.result_info = "result['preview']"}, {jax.result_info = "result['valid']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg24: tensor<2x24x32x3xui8>, %arg25: tensor<3xf32>, %arg26: tensor<3xf32>, %arg27: tensor<5x7x3xf32>):
    %30 = "stablehlo.convert"(%arg24) : (tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xf32>
    %31 = "stablehlo.constant"() <{value = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %33 = "stablehlo.divide"(%30, %32) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "func.call"(%33, %34) <{callee = @_pad}> : (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x32x40x3xf32>
    %36 = "stablehlo.slice"(%35) <{limit_indices = array<i64: 2, 28, 36, 3>, start_indices = array<i64: 0, 4, 4, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x32x40x3xf32>) -> tensor<2x24x32x3xf32>
    %37 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %39 = "func.call"(%36, %37, %38) <{callee = @clip}> : (tensor<2x24x32x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x24x32x3xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %42 = "stablehlo.multiply"(%39, %41) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %45 = "stablehlo.add"(%42, %44) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %46 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %48 = "stablehlo.power"(%45, %47) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %49 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %51 = "stablehlo.multiply"(%48, %50) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %52 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %54 = "stablehlo.add"(%51, %53) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %55 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %57 = "stablehlo.power"(%54, %56) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %58 = "func.call"(%48) <{callee = @_flip}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %59 = "stablehlo.constant"() <{value = dense<1.271800e+00> : tensor<f32>}> : () -> tensor<f32>
    %60 = "stablehlo.broadcast_in_dim"(%59) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %61 = "stablehlo.multiply"(%58, %60) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %64 = "stablehlo.add"(%61, %63) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %65 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %66 = "stablehlo.broadcast_in_dim"(%65) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %67 = "stablehlo.power"(%64, %66) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %68 = "func.call"(%67) <{callee = @_flip}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %69 = "func.call"(%48) <{callee = @_flip_0}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %70 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %71 = "stablehlo.broadcast_in_dim"(%70) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %72 = "stablehlo.multiply"(%69, %71) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %73 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %74 = "stablehlo.broadcast_in_dim"(%73) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %75 = "stablehlo.add"(%72, %74) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %76 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %78 = "stablehlo.power"(%75, %77) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %79 = "func.call"(%78) <{callee = @_flip_0}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %80 = "func.call"(%48) <{callee = @_flip_0}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %81 = "func.call"(%80) <{callee = @_flip}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %82 = "stablehlo.constant"() <{value = dense<1.271800e+00> : tensor<f32>}> : () -> tensor<f32>
    %83 = "stablehlo.broadcast_in_dim"(%82) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %84 = "stablehlo.multiply"(%81, %83) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %85 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %86 = "stablehlo.broadcast_in_dim"(%85) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %87 = "stablehlo.add"(%84, %86) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %88 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %89 = "stablehlo.broadcast_in_dim"(%88) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %90 = "stablehlo.power"(%87, %89) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %91 = "func.call"(%90) <{callee = @_flip_0}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %92 = "func.call"(%91) <{callee = @_flip}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %93 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %94 = "stablehlo.broadcast_in_dim"(%68) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %95 = "stablehlo.broadcast_in_dim"(%79) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %96 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 1, 2, 3, 4>}> : (tensor<2x24x32x3xf32>) -> tensor<1x2x24x32x3xf32>
    %97 = "stablehlo.concatenate"(%93, %94, %95, %96) <{dimension = 0 : i64}> : (tensor<1x2x24x32x3xf32>, tensor<1x2x24x32x3xf32>, tensor<1x2x24x32x3xf32>, tensor<1x2x24x32x3xf32>) -> tensor<4x2x24x32x3xf32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.reduce"(%97, %98) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg38: tensor<f32>, %arg39: tensor<f32>):
      %244 = "stablehlo.add"(%arg38, %arg39) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%244) : (tensor<f32>) -> ()
    }) : (tensor<4x2x24x32x3xf32>, tensor<f32>) -> tensor<2x24x32x3xf32>
    %100 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %102 = "stablehlo.divide"(%99, %101) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %103 = "func.call"(%102) <{callee = @_flip_0}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %104 = "func.call"(%103) <{callee = @_flip_0}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %105 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %106 = "func.call"(%104, %105) <{callee = @_pad_1}> : (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x26x34x3xf32>
    %107 = "stablehlo.slice"(%106) <{limit_indices = array<i64: 2, 24, 34, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x26x34x3xf32>) -> tensor<2x24x34x3xf32>
    %108 = "stablehlo.slice"(%106) <{limit_indices = array<i64: 2, 25, 34, 3>, start_indices = array<i64: 0, 1, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x26x34x3xf32>) -> tensor<2x24x34x3xf32>
    %109 = "stablehlo.add"(%107, %108) : (tensor<2x24x34x3xf32>, tensor<2x24x34x3xf32>) -> tensor<2x24x34x3xf32>
    %110 = "stablehlo.slice"(%106) <{limit_indices = array<i64: 2, 26, 34, 3>, start_indices = array<i64: 0, 2, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x26x34x3xf32>) -> tensor<2x24x34x3xf32>
    %111 = "stablehlo.add"(%109, %110) : (tensor<2x24x34x3xf32>, tensor<2x24x34x3xf32>) -> tensor<2x24x34x3xf32>
    %112 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x34x3xf32>
    %114 = "stablehlo.divide"(%111, %113) : (tensor<2x24x34x3xf32>, tensor<2x24x34x3xf32>) -> tensor<2x24x34x3xf32>
    %115 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 2, 24, 32, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x34x3xf32>) -> tensor<2x24x32x3xf32>
    %116 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 2, 24, 33, 3>, start_indices = array<i64: 0, 0, 1, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x34x3xf32>) -> tensor<2x24x32x3xf32>
    %117 = "stablehlo.add"(%115, %116) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %118 = "stablehlo.slice"(%114) <{limit_indices = array<i64: 2, 24, 34, 3>, start_indices = array<i64: 0, 0, 2, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x34x3xf32>) -> tensor<2x24x32x3xf32>
    %119 = "stablehlo.add"(%117, %118) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %120 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %122 = "stablehlo.divide"(%119, %121) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %123 = "func.call"(%122) <{callee = @_flip}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %124 = "func.call"(%123) <{callee = @_flip}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %125 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 12, 12, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %126 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 12, 24, 3>, start_indices = array<i64: 0, 0, 12, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %127 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 12, 32, 3>, start_indices = array<i64: 0, 0, 24, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x12x8x3xf32>
    %128 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 24, 12, 3>, start_indices = array<i64: 0, 12, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %129 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 24, 24, 3>, start_indices = array<i64: 0, 12, 12, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x12x12x3xf32>
    %130 = "stablehlo.slice"(%102) <{limit_indices = array<i64: 2, 24, 32, 3>, start_indices = array<i64: 0, 12, 24, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x12x8x3xf32>
    %131 = "stablehlo.concatenate"(%125, %126, %127) <{dimension = 2 : i64}> : (tensor<2x12x12x3xf32>, tensor<2x12x12x3xf32>, tensor<2x12x8x3xf32>) -> tensor<2x12x32x3xf32>
    %132 = "stablehlo.concatenate"(%128, %129, %130) <{dimension = 2 : i64}> : (tensor<2x12x12x3xf32>, tensor<2x12x12x3xf32>, tensor<2x12x8x3xf32>) -> tensor<2x12x32x3xf32>
    %133 = "stablehlo.concatenate"(%131, %132) <{dimension = 1 : i64}> : (tensor<2x12x32x3xf32>, tensor<2x12x32x3xf32>) -> tensor<2x24x32x3xf32>
    %134 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %135 = "stablehlo.broadcast_in_dim"(%134) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %136 = "stablehlo.multiply"(%135, %133) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %137 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 8, 8, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %138 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 8, 16, 3>, start_indices = array<i64: 0, 0, 8, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %139 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 8, 24, 3>, start_indices = array<i64: 0, 0, 16, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %140 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 8, 32, 3>, start_indices = array<i64: 0, 0, 24, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %141 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 16, 8, 3>, start_indices = array<i64: 0, 8, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %142 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 16, 16, 3>, start_indices = array<i64: 0, 8, 8, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %143 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 16, 24, 3>, start_indices = array<i64: 0, 8, 16, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %144 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 16, 32, 3>, start_indices = array<i64: 0, 8, 24, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %145 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 24, 8, 3>, start_indices = array<i64: 0, 16, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %146 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 24, 16, 3>, start_indices = array<i64: 0, 16, 8, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %147 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 24, 24, 3>, start_indices = array<i64: 0, 16, 16, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %148 = "stablehlo.slice"(%124) <{limit_indices = array<i64: 2, 24, 32, 3>, start_indices = array<i64: 0, 16, 24, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x8x8x3xf32>
    %149 = "stablehlo.concatenate"(%137, %138, %139, %140) <{dimension = 2 : i64}> : (tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>) -> tensor<2x8x32x3xf32>
    %150 = "stablehlo.concatenate"(%141, %142, %143, %144) <{dimension = 2 : i64}> : (tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>) -> tensor<2x8x32x3xf32>
    %151 = "stablehlo.concatenate"(%145, %146, %147, %148) <{dimension = 2 : i64}> : (tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>) -> tensor<2x8x32x3xf32>
    %152 = "stablehlo.concatenate"(%149, %150, %151) <{dimension = 1 : i64}> : (tensor<2x8x32x3xf32>, tensor<2x8x32x3xf32>, tensor<2x8x32x3xf32>) -> tensor<2x24x32x3xf32>
    %153 = "stablehlo.subtract"(%136, %152) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %154 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %155 = "func.call"(%153, %154) <{callee = @_pad_2}> : (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x32x32x3xf32>
    %156 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %157 = "func.call"(%155, %156) <{callee = @_pad_3}> : (tensor<2x32x32x3xf32>, tensor<i32>) -> tensor<2x36x36x3xf32>
    %158 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %159 = "func.call"(%157, %158) <{callee = @_pad_4}> : (tensor<2x36x36x3xf32>, tensor<i32>) -> tensor<2x36x36x3xf32>
    %160 = "stablehlo.broadcast_in_dim"(%arg27) <{broadcast_dimensions = array<i64: 1, 2, 3>}> : (tensor<5x7x3xf32>) -> tensor<1x5x7x3xf32>
    %161 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %162 = "func.call"(%160, %161) <{callee = @_pad_5}> : (tensor<1x5x7x3xf32>, tensor<i32>) -> tensor<1x36x36x3xf32>
    %163 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<36x36xi32>
    %164 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<36x36xi32>
    %165 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %166 = "stablehlo.broadcast_in_dim"(%165) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<36x36xi32>
    %167 = "stablehlo.compare"(%163, %166) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %168 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %169 = "stablehlo.broadcast_in_dim"(%168) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<36x36xi32>
    %170 = "stablehlo.compare"(%163, %169) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %171 = "stablehlo.and"(%167, %170) : (tensor<36x36xi1>, tensor<36x36xi1>) -> tensor<36x36xi1>
    %172 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<36x36xi32>
    %174 = "stablehlo.compare"(%164, %173) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %175 = "stablehlo.and"(%171, %174) : (tensor<36x36xi1>, tensor<36x36xi1>) -> tensor<36x36xi1>
    %176 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %177 = "stablehlo.broadcast_in_dim"(%176) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<36x36xi32>
    %178 = "stablehlo.compare"(%164, %177) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<36x36xi32>, tensor<36x36xi32>) -> tensor<36x36xi1>
    %179 = "stablehlo.and"(%175, %178) : (tensor<36x36xi1>, tensor<36x36xi1>) -> tensor<36x36xi1>
    %180 = "stablehlo.broadcast_in_dim"(%179) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<36x36xi1>) -> tensor<1x36x36x1xi1>
    %181 = "func.call"(%180, %162, %159) <{callee = @_where}> : (tensor<1x36x36x1xi1>, tensor<1x36x36x3xf32>, tensor<2x36x36x3xf32>) -> tensor<2x36x36x3xf32>
    %182 = "stablehlo.slice"(%181) <{limit_indices = array<i64: 2, 36, 36, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 2, 1>}> : (tensor<2x36x36x3xf32>) -> tensor<2x18x18x3xf32>
    %183 = "stablehlo.slice"(%182) <{limit_indices = array<i64: 2, 18, 18, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2, 2, 1>}> : (tensor<2x18x18x3xf32>) -> tensor<2x9x9x3xf32>
    %184 = "stablehlo.slice"(%181) <{limit_indices = array<i64: 2, 32, 32, 3>, start_indices = array<i64: 0, 4, 4, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x36x36x3xf32>) -> tensor<2x28x28x3xf32>
    %185 = "stablehlo.slice"(%184) <{limit_indices = array<i64: 2, 18, 18, 3>, start_indices = array<i64: 0, 2, 2, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x28x28x3xf32>) -> tensor<2x16x16x3xf32>
    %186 = "stablehlo.transpose"(%185) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x16x16x3xf32>) -> tensor<2x16x16x3xf32>
    %187 = "stablehlo.transpose"(%186) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x16x16x3xf32>) -> tensor<2x16x16x3xf32>
    %188 = "stablehlo.broadcast_in_dim"(%arg25) <{broadcast_dimensions = array<i64: 3>}> : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
    %189 = "stablehlo.broadcast_in_dim"(%188) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x3xf32>) -> tensor<2x16x16x3xf32>
    %190 = "stablehlo.subtract"(%187, %189) : (tensor<2x16x16x3xf32>, tensor<2x16x16x3xf32>) -> tensor<2x16x16x3xf32>
    %191 = "stablehlo.broadcast_in_dim"(%arg26) <{broadcast_dimensions = array<i64: 3>}> : (tensor<3xf32>) -> tensor<1x1x1x3xf32>
    %192 = "stablehlo.broadcast_in_dim"(%191) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x1x1x3xf32>) -> tensor<2x16x16x3xf32>
    %193 = "stablehlo.divide"(%190, %192) : (tensor<2x16x16x3xf32>, tensor<2x16x16x3xf32>) -> tensor<2x16x16x3xf32>
    %194 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %195 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %196 = "func.call"(%183, %194, %195) <{callee = @clip_6}> : (tensor<2x9x9x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x9x9x3xf32>
    %197 = "stablehlo.constant"() <{value = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %198 = "stablehlo.broadcast_in_dim"(%197) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %199 = "stablehlo.multiply"(%196, %198) : (tensor<2x9x9x3xf32>, tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
    %200 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %201 = "stablehlo.constant"() <{value = dense<2.550000e+02> : tensor<f32>}> : () -> tensor<f32>
    %202 = "stablehlo.broadcast_in_dim"(%200) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %203 = "stablehlo.broadcast_in_dim"(%201) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %204 = "stablehlo.clamp"(%202, %199, %203) : (tensor<2x9x9x3xf32>, tensor<2x9x9x3xf32>, tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
    %205 = "func.call"(%204) <{callee = @round}> : (tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
    %206 = "stablehlo.convert"(%205) : (tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xui8>
    %207 = "stablehlo.constant"() <{value = dense<255> : tensor<ui8>}> : () -> tensor<ui8>
    %208 = "stablehlo.broadcast_in_dim"(%207) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<2x9x9x3xui8>
    %209 = "stablehlo.subtract"(%208, %206) : (tensor<2x9x9x3xui8>, tensor<2x9x9x3xui8>) -> tensor<2x9x9x3xui8>
    %210 = "stablehlo.constant"() <{value = dense<255> : tensor<ui8>}> : () -> tensor<ui8>
    %211 = "stablehlo.broadcast_in_dim"(%210) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<2x9x9x3xui8>
    %212 = "stablehlo.subtract"(%211, %209) : (tensor<2x9x9x3xui8>, tensor<2x9x9x3xui8>) -> tensor<2x9x9x3xui8>
    %213 = "stablehlo.slice"(%arg24) <{limit_indices = array<i64: 2, 24, 16, 3>, start_indices = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xui8>) -> tensor<2x24x16x3xui8>
    %214 = "stablehlo.slice"(%arg24) <{limit_indices = array<i64: 2, 24, 32, 3>, start_indices = array<i64: 0, 0, 16, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x24x32x3xui8>) -> tensor<2x24x16x3xui8>
    %215 = "stablehlo.concatenate"(%213, %214, %arg24) <{dimension = 2 : i64}> : (tensor<2x24x16x3xui8>, tensor<2x24x16x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x64x3xui8>
    %216 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> tensor<f32>
    %217 = "stablehlo.reduce"(%181, %216) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg36: tensor<f32>, %arg37: tensor<f32>):
      %243 = "stablehlo.minimum"(%arg36, %arg37) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%243) : (tensor<f32>) -> ()
    }) : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %218 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %219 = "stablehlo.reduce"(%181, %218) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg34: tensor<f32>, %arg35: tensor<f32>):
      %242 = "stablehlo.maximum"(%arg34, %arg35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%242) : (tensor<f32>) -> ()
    }) : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %220 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %221 = "stablehlo.reduce"(%181, %220) <{dimensions = array<i64: 1, 2>}> ({
    ^bb0(%arg32: tensor<f32>, %arg33: tensor<f32>):
      %241 = "stablehlo.add"(%arg32, %arg33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%241) : (tensor<f32>) -> ()
    }) : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %222 = "stablehlo.constant"() <{value = dense<1.296000e+03> : tensor<f32>}> : () -> tensor<f32>
    %223 = "stablehlo.broadcast_in_dim"(%222) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %224 = "stablehlo.divide"(%221, %223) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %225 = "stablehlo.constant"() <{value = dense<255> : tensor<ui8>}> : () -> tensor<ui8>
    %226 = "stablehlo.broadcast_in_dim"(%225) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<2x24x32x3xui8>
    %227 = "stablehlo.compare"(%arg24, %226) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x24x32x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xi1>
    %228 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %229 = "stablehlo.reduce"(%227, %228) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%arg30: tensor<i1>, %arg31: tensor<i1>):
      %240 = "stablehlo.or"(%arg30, %arg31) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%240) : (tensor<i1>) -> ()
    }) : (tensor<2x24x32x3xi1>, tensor<i1>) -> tensor<2xi1>
    %230 = "stablehlo.constant"() <{value = dense<0> : tensor<ui8>}> : () -> tensor<ui8>
    %231 = "stablehlo.broadcast_in_dim"(%230) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<2x24x32x3xui8>
    %232 = "stablehlo.compare"(%arg24, %231) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x24x32x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xi1>
    %233 = "stablehlo.constant"() <{value = dense<255> : tensor<ui8>}> : () -> tensor<ui8>
    %234 = "stablehlo.broadcast_in_dim"(%233) <{broadcast_dimensions = array<i64>}> : (tensor<ui8>) -> tensor<2x24x32x3xui8>
    %235 = "stablehlo.compare"(%arg24, %234) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x24x32x3xui8>, tensor<2x24x32x3xui8>) -> tensor<2x24x32x3xi1>
    %236 = "stablehlo.and"(%232, %235) : (tensor<2x24x32x3xi1>, tensor<2x24x32x3xi1>) -> tensor<2x24x32x3xi1>
    %237 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %238 = "stablehlo.reduce"(%236, %237) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%arg28: tensor<i1>, %arg29: tensor<i1>):
      %239 = "stablehlo.and"(%arg28, %arg29) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%239) : (tensor<i1>) -> ()
    }) : (tensor<2x24x32x3xi1>, tensor<i1>) -> tensor<2xi1>
    "func.return"(%219, %229, %217, %224, %193, %215, %212, %238) : (tensor<2x3xf32>, tensor<2xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x16x16x3xf32>, tensor<2x24x64x3xui8>, tensor<2x9x9x3xui8>, tensor<2xi1>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x32x40x3xf32>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<2x24x32x3xf32>, %arg23: tensor<i32>):
    %28 = "stablehlo.convert"(%arg23) : (tensor<i32>) -> tensor<f32>
    %29 = "stablehlo.pad"(%arg22, %28) <{edge_padding_high = array<i64: 0, 4, 4, 0>, edge_padding_low = array<i64: 0, 4, 4, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x24x32x3xf32>, tensor<f32>) -> tensor<2x32x40x3xf32>
    "func.return"(%29) : (tensor<2x32x40x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x24x32x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x24x32x3xf32>, res_attrs = [{}], sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<2x24x32x3xf32>, %arg20: tensor<f32>, %arg21: tensor<f32>):
    %22 = "stablehlo.convert"(%arg20) : (tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %24 = "stablehlo.maximum"(%23, %arg19) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    %25 = "stablehlo.convert"(%arg21) : (tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x24x32x3xf32>
    %27 = "stablehlo.minimum"(%26, %24) : (tensor<2x24x32x3xf32>, tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    "func.return"(%27) : (tensor<2x24x32x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<2x24x32x3xf32>):
    %21 = "stablehlo.reverse"(%arg18) <{dimensions = array<i64: 1>}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    "func.return"(%21) : (tensor<2x24x32x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>, res_attrs = [{}], sym_name = "_flip_0", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<2x24x32x3xf32>):
    %20 = "stablehlo.reverse"(%arg17) <{dimensions = array<i64: 2>}> : (tensor<2x24x32x3xf32>) -> tensor<2x24x32x3xf32>
    "func.return"(%20) : (tensor<2x24x32x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x26x34x3xf32>, res_attrs = [{}], sym_name = "_pad_1", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<2x24x32x3xf32>, %arg16: tensor<i32>):
    %18 = "stablehlo.convert"(%arg16) : (tensor<i32>) -> tensor<f32>
    %19 = "stablehlo.pad"(%arg15, %18) <{edge_padding_high = array<i64: 0, 1, 1, 0>, edge_padding_low = array<i64: 0, 1, 1, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x24x32x3xf32>, tensor<f32>) -> tensor<2x26x34x3xf32>
    "func.return"(%19) : (tensor<2x26x34x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x24x32x3xf32>, tensor<i32>) -> tensor<2x32x32x3xf32>, res_attrs = [{}], sym_name = "_pad_2", sym_visibility = "private"}> ({
  ^bb0(%arg13: tensor<2x24x32x3xf32>, %arg14: tensor<i32>):
    %16 = "stablehlo.convert"(%arg14) : (tensor<i32>) -> tensor<f32>
    %17 = "stablehlo.pad"(%arg13, %16) <{edge_padding_high = array<i64: 0, 4, 0, 0>, edge_padding_low = array<i64: 0, 4, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x24x32x3xf32>, tensor<f32>) -> tensor<2x32x32x3xf32>
    "func.return"(%17) : (tensor<2x32x32x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x32x32x3xf32>, tensor<i32>) -> tensor<2x36x36x3xf32>, res_attrs = [{}], sym_name = "_pad_3", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<2x32x32x3xf32>, %arg12: tensor<i32>):
    %14 = "stablehlo.convert"(%arg12) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.pad"(%arg11, %14) <{edge_padding_high = array<i64: 0, 2, 2, 0>, edge_padding_low = array<i64: 0, 2, 2, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x32x32x3xf32>, tensor<f32>) -> tensor<2x36x36x3xf32>
    "func.return"(%15) : (tensor<2x36x36x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x36x36x3xf32>, tensor<i32>) -> tensor<2x36x36x3xf32>, res_attrs = [{}], sym_name = "_pad_4", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<2x36x36x3xf32>, %arg10: tensor<i32>):
    %12 = "stablehlo.convert"(%arg10) : (tensor<i32>) -> tensor<f32>
    %13 = "stablehlo.pad"(%arg9, %12) <{edge_padding_high = array<i64: 0, 0, 0, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<2x36x36x3xf32>, tensor<f32>) -> tensor<2x36x36x3xf32>
    "func.return"(%13) : (tensor<2x36x36x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x5x7x3xf32>, tensor<i32>) -> tensor<1x36x36x3xf32>, res_attrs = [{}], sym_name = "_pad_5", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<1x5x7x3xf32>, %arg8: tensor<i32>):
    %10 = "stablehlo.convert"(%arg8) : (tensor<i32>) -> tensor<f32>
    %11 = "stablehlo.pad"(%arg7, %10) <{edge_padding_high = array<i64: 0, 31, 29, 0>, edge_padding_low = array<i64: 0, 0, 0, 0>, interior_padding = array<i64: 0, 0, 0, 0>}> : (tensor<1x5x7x3xf32>, tensor<f32>) -> tensor<1x36x36x3xf32>
    "func.return"(%11) : (tensor<1x36x36x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x36x36x1xi1>, tensor<1x36x36x3xf32>, tensor<2x36x36x3xf32>) -> tensor<2x36x36x3xf32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<1x36x36x1xi1>, %arg5: tensor<1x36x36x3xf32>, %arg6: tensor<2x36x36x3xf32>):
    %7 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x36x36x1xi1>) -> tensor<2x36x36x3xi1>
    %8 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x36x36x3xf32>) -> tensor<2x36x36x3xf32>
    %9 = "stablehlo.select"(%7, %8, %arg6) : (tensor<2x36x36x3xi1>, tensor<2x36x36x3xf32>, tensor<2x36x36x3xf32>) -> tensor<2x36x36x3xf32>
    "func.return"(%9) : (tensor<2x36x36x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x9x9x3xf32>, tensor<f32>, tensor<f32>) -> tensor<2x9x9x3xf32>, res_attrs = [{}], sym_name = "clip_6", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x9x9x3xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>):
    %1 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %3 = "stablehlo.maximum"(%2, %arg1) : (tensor<2x9x9x3xf32>, tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
    %4 = "stablehlo.convert"(%arg3) : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x9x9x3xf32>
    %6 = "stablehlo.minimum"(%5, %3) : (tensor<2x9x9x3xf32>, tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
    "func.return"(%6) : (tensor<2x9x9x3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>, res_attrs = [{}], sym_name = "round", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x9x9x3xf32>):
    %0 = "stablehlo.round_nearest_even"(%arg0) : (tensor<2x9x9x3xf32>) -> tensor<2x9x9x3xf32>
    "func.return"(%0) : (tensor<2x9x9x3xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
