module @jit_signal attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x64xi16>, %arg1: tensor<160xui8>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i1>) -> (tensor<i1> {jax.result_info = "result['any_sync']"}, tensor<i32> {jax.result_info = "result['budget']"}, tensor<10xui8> {jax.result_info = "result['crc']"}, tensor<i64> {jax.result_info = "result['first_sync']"}, tensor<ui64> {jax.result_info = "result['hash']"}, tensor<2x4xi1> {jax.result_info = "result['loud']"}, tensor<2x4xi32> {jax.result_info = "result['low']"}, tensor<2x4xi32> {jax.result_info = "result['magnitude']"}, tensor<160x2xui8> {jax.result_info = "result['nibbles']"}, tensor<160xi1> {jax.result_info = "result['odd']"}, tensor<2x64xi16> {jax.result_info = "result['out']"}, tensor<2xi32> {jax.result_info = "result['rest'][0]"}, tensor<2xi32> {jax.result_info = "result['rest'][1]"}, tensor<2xi1> {jax.result_info = "result['rest'][2]"}, tensor<2x0xi32> {jax.result_info = "result['rest'][3]"}, tensor<i1> {jax.result_info = "result['same']"}, tensor<160xui8> {jax.result_info = "result['swapped']"}, tensor<0xui8> {jax.result_info = "result['tail']"}, tensor<2xi32> {jax.result_info = "result['zero_cross']"}) {
    %c = stablehlo.constant dense<> : tensor<2x0xi16>
    %c_0 = stablehlo.constant dense<[0, 12, 45, 91, 127, 127, 91, 45, 12, 0, -3, -1, 0, -1, -3, 0]> : tensor<16xi32>
    %c_1 = stablehlo.constant dense<"0x004992DB246DB6FF4891DA236CB5FE4790D9226BB4FD468FD8216AB3FC458ED72069B2FB448DD61F68B1FA438CD51E67B0F9428BD41D66AFF8418AD31C65AEF74089D21B64ADF63F88D11A63ACF53E87D01962ABF43D86CF1861AAF33C85CE1760A9F23B84CD165FA8F13A83CC155EA7F03982CB145DA6EF3881CA135CA5EE3780C9125BA4ED367FC8115AA3EC357EC71059A2EB347DC60F58A1EA337CC50E57"> : tensor<160xui8>
    %0 = stablehlo.concatenate %c, %arg0, dim = 1 : (tensor<2x0xi16>, tensor<2x64xi16>) -> tensor<2x64xi16>
    %1 = stablehlo.convert %0 : (tensor<2x64xi16>) -> tensor<2x64xi32>
    %2 = stablehlo.convert %1 : (tensor<2x64xi32>) -> tensor<2x64xi64>
    %3 = stablehlo.convert %2 : (tensor<2x64xi64>) -> tensor<2x64xi32>
    %4 = stablehlo.slice %3 [0:2, 64:64] : (tensor<2x64xi32>) -> tensor<2x0xi32>
    %5 = stablehlo.reshape %3 : (tensor<2x64xi32>) -> tensor<2x4x16xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.reduce(%4 init: %c_2) applies stablehlo.add across dimensions = [1] : (tensor<2x0xi32>, tensor<i32>) -> tensor<2xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %7 = stablehlo.reduce(%4 init: %c_3) applies stablehlo.multiply across dimensions = [1] : (tensor<2x0xi32>, tensor<i32>) -> tensor<2xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2x0xi32>
    %9 = stablehlo.compare EQ, %4, %8, SIGNED : (tensor<2x0xi32>, tensor<2x0xi32>) -> tensor<2x0xi1>
    %c_5 = stablehlo.constant dense<true> : tensor<i1>
    %10 = stablehlo.reduce(%9 init: %c_5) applies stablehlo.and across dimensions = [1] : (tensor<2x0xi1>, tensor<i1>) -> tensor<2xi1>
    %c_6 = stablehlo.constant dense<0> : tensor<i64>
    %11 = call @_where(%arg4, %c_6, %arg2) : (tensor<i1>, tensor<i64>, tensor<i32>) -> tensor<i32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %13 = stablehlo.multiply %5, %12 : tensor<2x4x16xi32>
    %c_7 = stablehlo.constant dense<4> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %15 = stablehlo.shift_right_arithmetic %13, %14 : tensor<2x4x16xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %17 = stablehlo.shift_left %15, %16 : tensor<2x4x16xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %19 = stablehlo.shift_right_arithmetic %17, %18 : tensor<2x4x16xi32>
    %20 = stablehlo.broadcast_in_dim %c_0, dims = [2] : (tensor<16xi32>) -> tensor<1x1x16xi32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x16xi32>) -> tensor<2x4x16xi32>
    %22 = stablehlo.multiply %19, %21 : tensor<2x4x16xi32>
    %c_10 = stablehlo.constant dense<-32768> : tensor<i32>
    %c_11 = stablehlo.constant dense<32767> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %24 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %25 = stablehlo.clamp %23, %22, %24 : tensor<2x4x16xi32>
    %26 = stablehlo.convert %25 : (tensor<2x4x16xi32>) -> tensor<2x4x16xi16>
    %27 = stablehlo.convert %26 : (tensor<2x4x16xi16>) -> tensor<2x4x16xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %29 = stablehlo.or %27, %28 : tensor<2x4x16xi32>
    %30 = stablehlo.abs %29 : tensor<2x4x16xi32>
    %c_13 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %31 = stablehlo.reduce(%30 init: %c_13) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x16xi32>, tensor<i32>) -> tensor<2x4xi32>
    %c_14 = stablehlo.constant dense<2147483647> : tensor<i32>
    %32 = stablehlo.reduce(%29 init: %c_14) applies stablehlo.minimum across dimensions = [2] : (tensor<2x4x16xi32>, tensor<i32>) -> tensor<2x4xi32>
    %33 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %34 = stablehlo.compare LE, %31, %33, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %35 = stablehlo.not %34 : tensor<2x4xi1>
    %c_15 = stablehlo.constant dense<true> : tensor<i1>
    %36 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i1>) -> tensor<2x4xi1>
    %37 = stablehlo.and %35, %36 : tensor<2x4xi1>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<2x4xi1>) -> tensor<2x4x1xi1>
    %c_16 = stablehlo.constant dense<0> : tensor<i64>
    %39 = call @_where_0(%38, %29, %c_16) : (tensor<2x4x1xi1>, tensor<2x4x16xi32>, tensor<i64>) -> tensor<2x4x16xi32>
    %c_17 = stablehlo.constant dense<true> : tensor<i1>
    %40 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i1>) -> tensor<2x4xi1>
    %41 = stablehlo.and %35, %40 : tensor<2x4xi1>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1] : (tensor<2x4xi1>) -> tensor<2x4x1xi1>
    %c_18 = stablehlo.constant dense<0> : tensor<i64>
    %43 = call @_where_0(%42, %39, %c_18) : (tensor<2x4x1xi1>, tensor<2x4x16xi32>, tensor<i64>) -> tensor<2x4x16xi32>
    %44 = stablehlo.reshape %43 : (tensor<2x4x16xi32>) -> tensor<2x64xi32>
    %45 = stablehlo.concatenate %44, %4, dim = 1 : (tensor<2x64xi32>, tensor<2x0xi32>) -> tensor<2x64xi32>
    %46 = stablehlo.slice %45 [0:2, 1:64] : (tensor<2x64xi32>) -> tensor<2x63xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<2x63xi32>
    %48 = stablehlo.compare LT, %46, %47, SIGNED : (tensor<2x63xi32>, tensor<2x63xi32>) -> tensor<2x63xi1>
    %49 = stablehlo.slice %45 [0:2, 0:63] : (tensor<2x64xi32>) -> tensor<2x63xi32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %50 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<2x63xi32>
    %51 = stablehlo.compare LT, %49, %50, SIGNED : (tensor<2x63xi32>, tensor<2x63xi32>) -> tensor<2x63xi1>
    %52 = stablehlo.compare NE, %48, %51, UNSIGNED : (tensor<2x63xi1>, tensor<2x63xi1>) -> tensor<2x63xi1>
    %53 = stablehlo.convert %52 : (tensor<2x63xi1>) -> tensor<2x63xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.reduce(%53 init: %c_21) applies stablehlo.add across dimensions = [1] : (tensor<2x63xi32>, tensor<i32>) -> tensor<2xi32>
    %55 = stablehlo.count_leading_zeros %31 : tensor<2x4xi32>
    %c_22 = stablehlo.constant dense<32> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<2x4xi32>
    %57 = stablehlo.subtract %56, %55 : tensor<2x4xi32>
    %58 = stablehlo.xor %arg1, %c_1 : tensor<160xui8>
    %59 = stablehlo.xor %58, %c_1 : tensor<160xui8>
    %c_23 = stablehlo.constant dense<1> : tensor<ui8>
    %60 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %61 = stablehlo.shift_right_logical %59, %60 : tensor<160xui8>
    %62 = stablehlo.xor %59, %61 : tensor<160xui8>
    %c_24 = stablehlo.constant dense<1> : tensor<ui8>
    %63 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %64 = stablehlo.shift_right_logical %62, %63 : tensor<160xui8>
    %65 = stablehlo.xor %62, %64 : tensor<160xui8>
    %c_25 = stablehlo.constant dense<2> : tensor<ui8>
    %66 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %67 = stablehlo.shift_right_logical %65, %66 : tensor<160xui8>
    %68 = stablehlo.xor %65, %67 : tensor<160xui8>
    %c_26 = stablehlo.constant dense<4> : tensor<ui8>
    %69 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %70 = stablehlo.shift_right_logical %68, %69 : tensor<160xui8>
    %71 = stablehlo.xor %68, %70 : tensor<160xui8>
    %72 = stablehlo.iota dim = 0 : tensor<8xui8>
    %73 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<160xui8>) -> tensor<160x1xui8>
    %74 = stablehlo.broadcast_in_dim %72, dims = [1] : (tensor<8xui8>) -> tensor<1x8xui8>
    %75 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<160x1xui8>) -> tensor<160x8xui8>
    %76 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<1x8xui8>) -> tensor<160x8xui8>
    %77 = stablehlo.shift_right_logical %75, %76 : tensor<160x8xui8>
    %c_27 = stablehlo.constant dense<1> : tensor<ui8>
    %78 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<ui8>) -> tensor<160x8xui8>
    %79 = stablehlo.and %77, %78 : tensor<160x8xui8>
    %c_28 = stablehlo.constant dense<0> : tensor<ui8>
    %80 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<ui8>) -> tensor<160x8xui8>
    %81 = stablehlo.compare NE, %79, %80, UNSIGNED : (tensor<160x8xui8>, tensor<160x8xui8>) -> tensor<160x8xi1>
    %82 = call @_flip(%81) : (tensor<160x8xi1>) -> tensor<160x8xi1>
    %83 = call @_flip(%82) : (tensor<160x8xi1>) -> tensor<160x8xi1>
    %84 = stablehlo.iota dim = 0 : tensor<8xui8>
    %c_29 = stablehlo.constant dense<1> : tensor<ui8>
    %85 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<ui8>) -> tensor<8xui8>
    %86 = stablehlo.shift_left %85, %84 : tensor<8xui8>
    %c_30 = stablehlo.constant dense<0> : tensor<i64>
    %87 = call @_where_1(%83, %86, %c_30) : (tensor<160x8xi1>, tensor<8xui8>, tensor<i64>) -> tensor<160x8xui8>
    %c_31 = stablehlo.constant dense<0> : tensor<ui8>
    %88 = stablehlo.reduce(%87 init: %c_31) applies stablehlo.add across dimensions = [1] : (tensor<160x8xui8>, tensor<ui8>) -> tensor<160xui8>
    %c_32 = stablehlo.constant dense<4> : tensor<ui8>
    %89 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %90 = stablehlo.shift_left %71, %89 : tensor<160xui8>
    %c_33 = stablehlo.constant dense<4> : tensor<ui8>
    %91 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %92 = stablehlo.shift_right_logical %71, %91 : tensor<160xui8>
    %93 = stablehlo.or %90, %92 : tensor<160xui8>
    %c_34 = stablehlo.constant dense<240> : tensor<ui8>
    %94 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %95 = stablehlo.and %93, %94 : tensor<160xui8>
    %c_35 = stablehlo.constant dense<0> : tensor<ui8>
    %96 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %97 = stablehlo.or %95, %96 : tensor<160xui8>
    %c_36 = stablehlo.constant dense<15> : tensor<ui8>
    %98 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %99 = stablehlo.and %93, %98 : tensor<160xui8>
    %100 = stablehlo.or %97, %99 : tensor<160xui8>
    %c_37 = stablehlo.constant dense<15> : tensor<ui8>
    %101 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %102 = stablehlo.and %71, %101 : tensor<160xui8>
    %c_38 = stablehlo.constant dense<240> : tensor<ui8>
    %103 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %104 = stablehlo.and %71, %103 : tensor<160xui8>
    %c_39 = stablehlo.constant dense<4> : tensor<ui8>
    %105 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<ui8>) -> tensor<160xui8>
    %106 = stablehlo.shift_right_logical %104, %105 : tensor<160xui8>
    %107 = stablehlo.broadcast_in_dim %102, dims = [0] : (tensor<160xui8>) -> tensor<160x1xui8>
    %108 = stablehlo.broadcast_in_dim %106, dims = [0] : (tensor<160xui8>) -> tensor<160x1xui8>
    %109 = stablehlo.concatenate %107, %108, dim = 1 : (tensor<160x1xui8>, tensor<160x1xui8>) -> tensor<160x2xui8>
    %110 = stablehlo.convert %83 : (tensor<160x8xi1>) -> tensor<160x8xi32>
    %111 = stablehlo.convert %110 : (tensor<160x8xi32>) -> tensor<160x8xi64>
    %c_40 = stablehlo.constant dense<0> : tensor<i64>
    %112 = stablehlo.reduce(%111 init: %c_40) applies stablehlo.add across dimensions = [1] : (tensor<160x8xi64>, tensor<i64>) -> tensor<160xi64>
    %c_41 = stablehlo.constant dense<1> : tensor<i64>
    %113 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i64>) -> tensor<160xi64>
    %114 = stablehlo.and %112, %113 : tensor<160xi64>
    %115 = stablehlo.popcnt %71 : tensor<160xui8>
    %116 = stablehlo.convert %115 : (tensor<160xui8>) -> tensor<160xi32>
    %117 = stablehlo.slice %71 [160:160] : (tensor<160xui8>) -> tensor<0xui8>
    %118 = stablehlo.reshape %71 : (tensor<160xui8>) -> tensor<10x16xui8>
    %119 = stablehlo.slice %118 [0:10, 0:4] : (tensor<10x16xui8>) -> tensor<10x4xui8>
    %c_42 = stablehlo.constant dense<0> : tensor<ui8>
    %120 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %121 = stablehlo.slice %119 [0:10, 0:1] : (tensor<10x4xui8>) -> tensor<10x1xui8>
    %122 = stablehlo.reshape %121 : (tensor<10x1xui8>) -> tensor<10xui8>
    %123 = stablehlo.xor %120, %122 : tensor<10xui8>
    %c_43 = stablehlo.constant dense<128> : tensor<ui8>
    %124 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %125 = stablehlo.and %123, %124 : tensor<10xui8>
    %c_44 = stablehlo.constant dense<0> : tensor<ui8>
    %126 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %127 = stablehlo.compare NE, %125, %126, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_45 = stablehlo.constant dense<1> : tensor<ui8>
    %128 = stablehlo.broadcast_in_dim %c_45, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %129 = stablehlo.shift_left %123, %128 : tensor<10xui8>
    %c_46 = stablehlo.constant dense<7> : tensor<ui8>
    %130 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %131 = stablehlo.xor %129, %130 : tensor<10xui8>
    %c_47 = stablehlo.constant dense<1> : tensor<ui8>
    %132 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %133 = stablehlo.shift_left %123, %132 : tensor<10xui8>
    %134 = call @_where_2(%127, %131, %133) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_48 = stablehlo.constant dense<128> : tensor<ui8>
    %135 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %136 = stablehlo.and %134, %135 : tensor<10xui8>
    %c_49 = stablehlo.constant dense<0> : tensor<ui8>
    %137 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %138 = stablehlo.compare NE, %136, %137, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_50 = stablehlo.constant dense<1> : tensor<ui8>
    %139 = stablehlo.broadcast_in_dim %c_50, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %140 = stablehlo.shift_left %134, %139 : tensor<10xui8>
    %c_51 = stablehlo.constant dense<7> : tensor<ui8>
    %141 = stablehlo.broadcast_in_dim %c_51, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %142 = stablehlo.xor %140, %141 : tensor<10xui8>
    %c_52 = stablehlo.constant dense<1> : tensor<ui8>
    %143 = stablehlo.broadcast_in_dim %c_52, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %144 = stablehlo.shift_left %134, %143 : tensor<10xui8>
    %145 = call @_where_2(%138, %142, %144) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_53 = stablehlo.constant dense<128> : tensor<ui8>
    %146 = stablehlo.broadcast_in_dim %c_53, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %147 = stablehlo.and %145, %146 : tensor<10xui8>
    %c_54 = stablehlo.constant dense<0> : tensor<ui8>
    %148 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %149 = stablehlo.compare NE, %147, %148, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_55 = stablehlo.constant dense<1> : tensor<ui8>
    %150 = stablehlo.broadcast_in_dim %c_55, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %151 = stablehlo.shift_left %145, %150 : tensor<10xui8>
    %c_56 = stablehlo.constant dense<7> : tensor<ui8>
    %152 = stablehlo.broadcast_in_dim %c_56, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %153 = stablehlo.xor %151, %152 : tensor<10xui8>
    %c_57 = stablehlo.constant dense<1> : tensor<ui8>
    %154 = stablehlo.broadcast_in_dim %c_57, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %155 = stablehlo.shift_left %145, %154 : tensor<10xui8>
    %156 = call @_where_2(%149, %153, %155) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_58 = stablehlo.constant dense<128> : tensor<ui8>
    %157 = stablehlo.broadcast_in_dim %c_58, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %158 = stablehlo.and %156, %157 : tensor<10xui8>
    %c_59 = stablehlo.constant dense<0> : tensor<ui8>
    %159 = stablehlo.broadcast_in_dim %c_59, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %160 = stablehlo.compare NE, %158, %159, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_60 = stablehlo.constant dense<1> : tensor<ui8>
    %161 = stablehlo.broadcast_in_dim %c_60, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %162 = stablehlo.shift_left %156, %161 : tensor<10xui8>
    %c_61 = stablehlo.constant dense<7> : tensor<ui8>
    %163 = stablehlo.broadcast_in_dim %c_61, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %164 = stablehlo.xor %162, %163 : tensor<10xui8>
    %c_62 = stablehlo.constant dense<1> : tensor<ui8>
    %165 = stablehlo.broadcast_in_dim %c_62, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %166 = stablehlo.shift_left %156, %165 : tensor<10xui8>
    %167 = call @_where_2(%160, %164, %166) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_63 = stablehlo.constant dense<128> : tensor<ui8>
    %168 = stablehlo.broadcast_in_dim %c_63, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %169 = stablehlo.and %167, %168 : tensor<10xui8>
    %c_64 = stablehlo.constant dense<0> : tensor<ui8>
    %170 = stablehlo.broadcast_in_dim %c_64, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %171 = stablehlo.compare NE, %169, %170, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_65 = stablehlo.constant dense<1> : tensor<ui8>
    %172 = stablehlo.broadcast_in_dim %c_65, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %173 = stablehlo.shift_left %167, %172 : tensor<10xui8>
    %c_66 = stablehlo.constant dense<7> : tensor<ui8>
    %174 = stablehlo.broadcast_in_dim %c_66, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %175 = stablehlo.xor %173, %174 : tensor<10xui8>
    %c_67 = stablehlo.constant dense<1> : tensor<ui8>
    %176 = stablehlo.broadcast_in_dim %c_67, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %177 = stablehlo.shift_left %167, %176 : tensor<10xui8>
    %178 = call @_where_2(%171, %175, %177) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_68 = stablehlo.constant dense<128> : tensor<ui8>
    %179 = stablehlo.broadcast_in_dim %c_68, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %180 = stablehlo.and %178, %179 : tensor<10xui8>
    %c_69 = stablehlo.constant dense<0> : tensor<ui8>
    %181 = stablehlo.broadcast_in_dim %c_69, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %182 = stablehlo.compare NE, %180, %181, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_70 = stablehlo.constant dense<1> : tensor<ui8>
    %183 = stablehlo.broadcast_in_dim %c_70, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %184 = stablehlo.shift_left %178, %183 : tensor<10xui8>
    %c_71 = stablehlo.constant dense<7> : tensor<ui8>
    %185 = stablehlo.broadcast_in_dim %c_71, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %186 = stablehlo.xor %184, %185 : tensor<10xui8>
    %c_72 = stablehlo.constant dense<1> : tensor<ui8>
    %187 = stablehlo.broadcast_in_dim %c_72, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %188 = stablehlo.shift_left %178, %187 : tensor<10xui8>
    %189 = call @_where_2(%182, %186, %188) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_73 = stablehlo.constant dense<128> : tensor<ui8>
    %190 = stablehlo.broadcast_in_dim %c_73, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %191 = stablehlo.and %189, %190 : tensor<10xui8>
    %c_74 = stablehlo.constant dense<0> : tensor<ui8>
    %192 = stablehlo.broadcast_in_dim %c_74, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %193 = stablehlo.compare NE, %191, %192, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_75 = stablehlo.constant dense<1> : tensor<ui8>
    %194 = stablehlo.broadcast_in_dim %c_75, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %195 = stablehlo.shift_left %189, %194 : tensor<10xui8>
    %c_76 = stablehlo.constant dense<7> : tensor<ui8>
    %196 = stablehlo.broadcast_in_dim %c_76, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %197 = stablehlo.xor %195, %196 : tensor<10xui8>
    %c_77 = stablehlo.constant dense<1> : tensor<ui8>
    %198 = stablehlo.broadcast_in_dim %c_77, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %199 = stablehlo.shift_left %189, %198 : tensor<10xui8>
    %200 = call @_where_2(%193, %197, %199) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_78 = stablehlo.constant dense<128> : tensor<ui8>
    %201 = stablehlo.broadcast_in_dim %c_78, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %202 = stablehlo.and %200, %201 : tensor<10xui8>
    %c_79 = stablehlo.constant dense<0> : tensor<ui8>
    %203 = stablehlo.broadcast_in_dim %c_79, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %204 = stablehlo.compare NE, %202, %203, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_80 = stablehlo.constant dense<1> : tensor<ui8>
    %205 = stablehlo.broadcast_in_dim %c_80, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %206 = stablehlo.shift_left %200, %205 : tensor<10xui8>
    %c_81 = stablehlo.constant dense<7> : tensor<ui8>
    %207 = stablehlo.broadcast_in_dim %c_81, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %208 = stablehlo.xor %206, %207 : tensor<10xui8>
    %c_82 = stablehlo.constant dense<1> : tensor<ui8>
    %209 = stablehlo.broadcast_in_dim %c_82, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %210 = stablehlo.shift_left %200, %209 : tensor<10xui8>
    %211 = call @_where_2(%204, %208, %210) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %212 = stablehlo.slice %119 [0:10, 1:2] : (tensor<10x4xui8>) -> tensor<10x1xui8>
    %213 = stablehlo.reshape %212 : (tensor<10x1xui8>) -> tensor<10xui8>
    %214 = stablehlo.xor %211, %213 : tensor<10xui8>
    %c_83 = stablehlo.constant dense<128> : tensor<ui8>
    %215 = stablehlo.broadcast_in_dim %c_83, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %216 = stablehlo.and %214, %215 : tensor<10xui8>
    %c_84 = stablehlo.constant dense<0> : tensor<ui8>
    %217 = stablehlo.broadcast_in_dim %c_84, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %218 = stablehlo.compare NE, %216, %217, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_85 = stablehlo.constant dense<1> : tensor<ui8>
    %219 = stablehlo.broadcast_in_dim %c_85, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %220 = stablehlo.shift_left %214, %219 : tensor<10xui8>
    %c_86 = stablehlo.constant dense<7> : tensor<ui8>
    %221 = stablehlo.broadcast_in_dim %c_86, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %222 = stablehlo.xor %220, %221 : tensor<10xui8>
    %c_87 = stablehlo.constant dense<1> : tensor<ui8>
    %223 = stablehlo.broadcast_in_dim %c_87, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %224 = stablehlo.shift_left %214, %223 : tensor<10xui8>
    %225 = call @_where_2(%218, %222, %224) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_88 = stablehlo.constant dense<128> : tensor<ui8>
    %226 = stablehlo.broadcast_in_dim %c_88, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %227 = stablehlo.and %225, %226 : tensor<10xui8>
    %c_89 = stablehlo.constant dense<0> : tensor<ui8>
    %228 = stablehlo.broadcast_in_dim %c_89, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %229 = stablehlo.compare NE, %227, %228, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_90 = stablehlo.constant dense<1> : tensor<ui8>
    %230 = stablehlo.broadcast_in_dim %c_90, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %231 = stablehlo.shift_left %225, %230 : tensor<10xui8>
    %c_91 = stablehlo.constant dense<7> : tensor<ui8>
    %232 = stablehlo.broadcast_in_dim %c_91, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %233 = stablehlo.xor %231, %232 : tensor<10xui8>
    %c_92 = stablehlo.constant dense<1> : tensor<ui8>
    %234 = stablehlo.broadcast_in_dim %c_92, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %235 = stablehlo.shift_left %225, %234 : tensor<10xui8>
    %236 = call @_where_2(%229, %233, %235) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_93 = stablehlo.constant dense<128> : tensor<ui8>
    %237 = stablehlo.broadcast_in_dim %c_93, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %238 = stablehlo.and %236, %237 : tensor<10xui8>
    %c_94 = stablehlo.constant dense<0> : tensor<ui8>
    %239 = stablehlo.broadcast_in_dim %c_94, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %240 = stablehlo.compare NE, %238, %239, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_95 = stablehlo.constant dense<1> : tensor<ui8>
    %241 = stablehlo.broadcast_in_dim %c_95, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %242 = stablehlo.shift_left %236, %241 : tensor<10xui8>
    %c_96 = stablehlo.constant dense<7> : tensor<ui8>
    %243 = stablehlo.broadcast_in_dim %c_96, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %244 = stablehlo.xor %242, %243 : tensor<10xui8>
    %c_97 = stablehlo.constant dense<1> : tensor<ui8>
    %245 = stablehlo.broadcast_in_dim %c_97, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %246 = stablehlo.shift_left %236, %245 : tensor<10xui8>
    %247 = call @_where_2(%240, %244, %246) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_98 = stablehlo.constant dense<128> : tensor<ui8>
    %248 = stablehlo.broadcast_in_dim %c_98, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %249 = stablehlo.and %247, %248 : tensor<10xui8>
    %c_99 = stablehlo.constant dense<0> : tensor<ui8>
    %250 = stablehlo.broadcast_in_dim %c_99, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %251 = stablehlo.compare NE, %249, %250, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_100 = stablehlo.constant dense<1> : tensor<ui8>
    %252 = stablehlo.broadcast_in_dim %c_100, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %253 = stablehlo.shift_left %247, %252 : tensor<10xui8>
    %c_101 = stablehlo.constant dense<7> : tensor<ui8>
    %254 = stablehlo.broadcast_in_dim %c_101, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %255 = stablehlo.xor %253, %254 : tensor<10xui8>
    %c_102 = stablehlo.constant dense<1> : tensor<ui8>
    %256 = stablehlo.broadcast_in_dim %c_102, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %257 = stablehlo.shift_left %247, %256 : tensor<10xui8>
    %258 = call @_where_2(%251, %255, %257) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_103 = stablehlo.constant dense<128> : tensor<ui8>
    %259 = stablehlo.broadcast_in_dim %c_103, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %260 = stablehlo.and %258, %259 : tensor<10xui8>
    %c_104 = stablehlo.constant dense<0> : tensor<ui8>
    %261 = stablehlo.broadcast_in_dim %c_104, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %262 = stablehlo.compare NE, %260, %261, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_105 = stablehlo.constant dense<1> : tensor<ui8>
    %263 = stablehlo.broadcast_in_dim %c_105, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %264 = stablehlo.shift_left %258, %263 : tensor<10xui8>
    %c_106 = stablehlo.constant dense<7> : tensor<ui8>
    %265 = stablehlo.broadcast_in_dim %c_106, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %266 = stablehlo.xor %264, %265 : tensor<10xui8>
    %c_107 = stablehlo.constant dense<1> : tensor<ui8>
    %267 = stablehlo.broadcast_in_dim %c_107, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %268 = stablehlo.shift_left %258, %267 : tensor<10xui8>
    %269 = call @_where_2(%262, %266, %268) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_108 = stablehlo.constant dense<128> : tensor<ui8>
    %270 = stablehlo.broadcast_in_dim %c_108, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %271 = stablehlo.and %269, %270 : tensor<10xui8>
    %c_109 = stablehlo.constant dense<0> : tensor<ui8>
    %272 = stablehlo.broadcast_in_dim %c_109, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %273 = stablehlo.compare NE, %271, %272, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_110 = stablehlo.constant dense<1> : tensor<ui8>
    %274 = stablehlo.broadcast_in_dim %c_110, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %275 = stablehlo.shift_left %269, %274 : tensor<10xui8>
    %c_111 = stablehlo.constant dense<7> : tensor<ui8>
    %276 = stablehlo.broadcast_in_dim %c_111, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %277 = stablehlo.xor %275, %276 : tensor<10xui8>
    %c_112 = stablehlo.constant dense<1> : tensor<ui8>
    %278 = stablehlo.broadcast_in_dim %c_112, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %279 = stablehlo.shift_left %269, %278 : tensor<10xui8>
    %280 = call @_where_2(%273, %277, %279) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_113 = stablehlo.constant dense<128> : tensor<ui8>
    %281 = stablehlo.broadcast_in_dim %c_113, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %282 = stablehlo.and %280, %281 : tensor<10xui8>
    %c_114 = stablehlo.constant dense<0> : tensor<ui8>
    %283 = stablehlo.broadcast_in_dim %c_114, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %284 = stablehlo.compare NE, %282, %283, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_115 = stablehlo.constant dense<1> : tensor<ui8>
    %285 = stablehlo.broadcast_in_dim %c_115, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %286 = stablehlo.shift_left %280, %285 : tensor<10xui8>
    %c_116 = stablehlo.constant dense<7> : tensor<ui8>
    %287 = stablehlo.broadcast_in_dim %c_116, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %288 = stablehlo.xor %286, %287 : tensor<10xui8>
    %c_117 = stablehlo.constant dense<1> : tensor<ui8>
    %289 = stablehlo.broadcast_in_dim %c_117, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %290 = stablehlo.shift_left %280, %289 : tensor<10xui8>
    %291 = call @_where_2(%284, %288, %290) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_118 = stablehlo.constant dense<128> : tensor<ui8>
    %292 = stablehlo.broadcast_in_dim %c_118, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %293 = stablehlo.and %291, %292 : tensor<10xui8>
    %c_119 = stablehlo.constant dense<0> : tensor<ui8>
    %294 = stablehlo.broadcast_in_dim %c_119, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %295 = stablehlo.compare NE, %293, %294, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_120 = stablehlo.constant dense<1> : tensor<ui8>
    %296 = stablehlo.broadcast_in_dim %c_120, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %297 = stablehlo.shift_left %291, %296 : tensor<10xui8>
    %c_121 = stablehlo.constant dense<7> : tensor<ui8>
    %298 = stablehlo.broadcast_in_dim %c_121, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %299 = stablehlo.xor %297, %298 : tensor<10xui8>
    %c_122 = stablehlo.constant dense<1> : tensor<ui8>
    %300 = stablehlo.broadcast_in_dim %c_122, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %301 = stablehlo.shift_left %291, %300 : tensor<10xui8>
    %302 = call @_where_2(%295, %299, %301) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %303 = stablehlo.slice %119 [0:10, 2:3] : (tensor<10x4xui8>) -> tensor<10x1xui8>
    %304 = stablehlo.reshape %303 : (tensor<10x1xui8>) -> tensor<10xui8>
    %305 = stablehlo.xor %302, %304 : tensor<10xui8>
    %c_123 = stablehlo.constant dense<128> : tensor<ui8>
    %306 = stablehlo.broadcast_in_dim %c_123, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %307 = stablehlo.and %305, %306 : tensor<10xui8>
    %c_124 = stablehlo.constant dense<0> : tensor<ui8>
    %308 = stablehlo.broadcast_in_dim %c_124, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %309 = stablehlo.compare NE, %307, %308, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_125 = stablehlo.constant dense<1> : tensor<ui8>
    %310 = stablehlo.broadcast_in_dim %c_125, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %311 = stablehlo.shift_left %305, %310 : tensor<10xui8>
    %c_126 = stablehlo.constant dense<7> : tensor<ui8>
    %312 = stablehlo.broadcast_in_dim %c_126, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %313 = stablehlo.xor %311, %312 : tensor<10xui8>
    %c_127 = stablehlo.constant dense<1> : tensor<ui8>
    %314 = stablehlo.broadcast_in_dim %c_127, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %315 = stablehlo.shift_left %305, %314 : tensor<10xui8>
    %316 = call @_where_2(%309, %313, %315) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_128 = stablehlo.constant dense<128> : tensor<ui8>
    %317 = stablehlo.broadcast_in_dim %c_128, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %318 = stablehlo.and %316, %317 : tensor<10xui8>
    %c_129 = stablehlo.constant dense<0> : tensor<ui8>
    %319 = stablehlo.broadcast_in_dim %c_129, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %320 = stablehlo.compare NE, %318, %319, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_130 = stablehlo.constant dense<1> : tensor<ui8>
    %321 = stablehlo.broadcast_in_dim %c_130, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %322 = stablehlo.shift_left %316, %321 : tensor<10xui8>
    %c_131 = stablehlo.constant dense<7> : tensor<ui8>
    %323 = stablehlo.broadcast_in_dim %c_131, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %324 = stablehlo.xor %322, %323 : tensor<10xui8>
    %c_132 = stablehlo.constant dense<1> : tensor<ui8>
    %325 = stablehlo.broadcast_in_dim %c_132, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %326 = stablehlo.shift_left %316, %325 : tensor<10xui8>
    %327 = call @_where_2(%320, %324, %326) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_133 = stablehlo.constant dense<128> : tensor<ui8>
    %328 = stablehlo.broadcast_in_dim %c_133, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %329 = stablehlo.and %327, %328 : tensor<10xui8>
    %c_134 = stablehlo.constant dense<0> : tensor<ui8>
    %330 = stablehlo.broadcast_in_dim %c_134, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %331 = stablehlo.compare NE, %329, %330, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_135 = stablehlo.constant dense<1> : tensor<ui8>
    %332 = stablehlo.broadcast_in_dim %c_135, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %333 = stablehlo.shift_left %327, %332 : tensor<10xui8>
    %c_136 = stablehlo.constant dense<7> : tensor<ui8>
    %334 = stablehlo.broadcast_in_dim %c_136, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %335 = stablehlo.xor %333, %334 : tensor<10xui8>
    %c_137 = stablehlo.constant dense<1> : tensor<ui8>
    %336 = stablehlo.broadcast_in_dim %c_137, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %337 = stablehlo.shift_left %327, %336 : tensor<10xui8>
    %338 = call @_where_2(%331, %335, %337) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_138 = stablehlo.constant dense<128> : tensor<ui8>
    %339 = stablehlo.broadcast_in_dim %c_138, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %340 = stablehlo.and %338, %339 : tensor<10xui8>
    %c_139 = stablehlo.constant dense<0> : tensor<ui8>
    %341 = stablehlo.broadcast_in_dim %c_139, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %342 = stablehlo.compare NE, %340, %341, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_140 = stablehlo.constant dense<1> : tensor<ui8>
    %343 = stablehlo.broadcast_in_dim %c_140, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %344 = stablehlo.shift_left %338, %343 : tensor<10xui8>
    %c_141 = stablehlo.constant dense<7> : tensor<ui8>
    %345 = stablehlo.broadcast_in_dim %c_141, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %346 = stablehlo.xor %344, %345 : tensor<10xui8>
    %c_142 = stablehlo.constant dense<1> : tensor<ui8>
    %347 = stablehlo.broadcast_in_dim %c_142, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %348 = stablehlo.shift_left %338, %347 : tensor<10xui8>
    %349 = call @_where_2(%342, %346, %348) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_143 = stablehlo.constant dense<128> : tensor<ui8>
    %350 = stablehlo.broadcast_in_dim %c_143, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %351 = stablehlo.and %349, %350 : tensor<10xui8>
    %c_144 = stablehlo.constant dense<0> : tensor<ui8>
    %352 = stablehlo.broadcast_in_dim %c_144, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %353 = stablehlo.compare NE, %351, %352, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_145 = stablehlo.constant dense<1> : tensor<ui8>
    %354 = stablehlo.broadcast_in_dim %c_145, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %355 = stablehlo.shift_left %349, %354 : tensor<10xui8>
    %c_146 = stablehlo.constant dense<7> : tensor<ui8>
    %356 = stablehlo.broadcast_in_dim %c_146, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %357 = stablehlo.xor %355, %356 : tensor<10xui8>
    %c_147 = stablehlo.constant dense<1> : tensor<ui8>
    %358 = stablehlo.broadcast_in_dim %c_147, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %359 = stablehlo.shift_left %349, %358 : tensor<10xui8>
    %360 = call @_where_2(%353, %357, %359) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_148 = stablehlo.constant dense<128> : tensor<ui8>
    %361 = stablehlo.broadcast_in_dim %c_148, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %362 = stablehlo.and %360, %361 : tensor<10xui8>
    %c_149 = stablehlo.constant dense<0> : tensor<ui8>
    %363 = stablehlo.broadcast_in_dim %c_149, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %364 = stablehlo.compare NE, %362, %363, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_150 = stablehlo.constant dense<1> : tensor<ui8>
    %365 = stablehlo.broadcast_in_dim %c_150, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %366 = stablehlo.shift_left %360, %365 : tensor<10xui8>
    %c_151 = stablehlo.constant dense<7> : tensor<ui8>
    %367 = stablehlo.broadcast_in_dim %c_151, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %368 = stablehlo.xor %366, %367 : tensor<10xui8>
    %c_152 = stablehlo.constant dense<1> : tensor<ui8>
    %369 = stablehlo.broadcast_in_dim %c_152, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %370 = stablehlo.shift_left %360, %369 : tensor<10xui8>
    %371 = call @_where_2(%364, %368, %370) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_153 = stablehlo.constant dense<128> : tensor<ui8>
    %372 = stablehlo.broadcast_in_dim %c_153, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %373 = stablehlo.and %371, %372 : tensor<10xui8>
    %c_154 = stablehlo.constant dense<0> : tensor<ui8>
    %374 = stablehlo.broadcast_in_dim %c_154, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %375 = stablehlo.compare NE, %373, %374, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_155 = stablehlo.constant dense<1> : tensor<ui8>
    %376 = stablehlo.broadcast_in_dim %c_155, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %377 = stablehlo.shift_left %371, %376 : tensor<10xui8>
    %c_156 = stablehlo.constant dense<7> : tensor<ui8>
    %378 = stablehlo.broadcast_in_dim %c_156, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %379 = stablehlo.xor %377, %378 : tensor<10xui8>
    %c_157 = stablehlo.constant dense<1> : tensor<ui8>
    %380 = stablehlo.broadcast_in_dim %c_157, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %381 = stablehlo.shift_left %371, %380 : tensor<10xui8>
    %382 = call @_where_2(%375, %379, %381) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_158 = stablehlo.constant dense<128> : tensor<ui8>
    %383 = stablehlo.broadcast_in_dim %c_158, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %384 = stablehlo.and %382, %383 : tensor<10xui8>
    %c_159 = stablehlo.constant dense<0> : tensor<ui8>
    %385 = stablehlo.broadcast_in_dim %c_159, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %386 = stablehlo.compare NE, %384, %385, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_160 = stablehlo.constant dense<1> : tensor<ui8>
    %387 = stablehlo.broadcast_in_dim %c_160, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %388 = stablehlo.shift_left %382, %387 : tensor<10xui8>
    %c_161 = stablehlo.constant dense<7> : tensor<ui8>
    %389 = stablehlo.broadcast_in_dim %c_161, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %390 = stablehlo.xor %388, %389 : tensor<10xui8>
    %c_162 = stablehlo.constant dense<1> : tensor<ui8>
    %391 = stablehlo.broadcast_in_dim %c_162, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %392 = stablehlo.shift_left %382, %391 : tensor<10xui8>
    %393 = call @_where_2(%386, %390, %392) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %394 = stablehlo.slice %119 [0:10, 3:4] : (tensor<10x4xui8>) -> tensor<10x1xui8>
    %395 = stablehlo.reshape %394 : (tensor<10x1xui8>) -> tensor<10xui8>
    %396 = stablehlo.xor %393, %395 : tensor<10xui8>
    %c_163 = stablehlo.constant dense<128> : tensor<ui8>
    %397 = stablehlo.broadcast_in_dim %c_163, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %398 = stablehlo.and %396, %397 : tensor<10xui8>
    %c_164 = stablehlo.constant dense<0> : tensor<ui8>
    %399 = stablehlo.broadcast_in_dim %c_164, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %400 = stablehlo.compare NE, %398, %399, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_165 = stablehlo.constant dense<1> : tensor<ui8>
    %401 = stablehlo.broadcast_in_dim %c_165, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %402 = stablehlo.shift_left %396, %401 : tensor<10xui8>
    %c_166 = stablehlo.constant dense<7> : tensor<ui8>
    %403 = stablehlo.broadcast_in_dim %c_166, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %404 = stablehlo.xor %402, %403 : tensor<10xui8>
    %c_167 = stablehlo.constant dense<1> : tensor<ui8>
    %405 = stablehlo.broadcast_in_dim %c_167, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %406 = stablehlo.shift_left %396, %405 : tensor<10xui8>
    %407 = call @_where_2(%400, %404, %406) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_168 = stablehlo.constant dense<128> : tensor<ui8>
    %408 = stablehlo.broadcast_in_dim %c_168, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %409 = stablehlo.and %407, %408 : tensor<10xui8>
    %c_169 = stablehlo.constant dense<0> : tensor<ui8>
    %410 = stablehlo.broadcast_in_dim %c_169, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %411 = stablehlo.compare NE, %409, %410, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_170 = stablehlo.constant dense<1> : tensor<ui8>
    %412 = stablehlo.broadcast_in_dim %c_170, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %413 = stablehlo.shift_left %407, %412 : tensor<10xui8>
    %c_171 = stablehlo.constant dense<7> : tensor<ui8>
    %414 = stablehlo.broadcast_in_dim %c_171, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %415 = stablehlo.xor %413, %414 : tensor<10xui8>
    %c_172 = stablehlo.constant dense<1> : tensor<ui8>
    %416 = stablehlo.broadcast_in_dim %c_172, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %417 = stablehlo.shift_left %407, %416 : tensor<10xui8>
    %418 = call @_where_2(%411, %415, %417) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_173 = stablehlo.constant dense<128> : tensor<ui8>
    %419 = stablehlo.broadcast_in_dim %c_173, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %420 = stablehlo.and %418, %419 : tensor<10xui8>
    %c_174 = stablehlo.constant dense<0> : tensor<ui8>
    %421 = stablehlo.broadcast_in_dim %c_174, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %422 = stablehlo.compare NE, %420, %421, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_175 = stablehlo.constant dense<1> : tensor<ui8>
    %423 = stablehlo.broadcast_in_dim %c_175, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %424 = stablehlo.shift_left %418, %423 : tensor<10xui8>
    %c_176 = stablehlo.constant dense<7> : tensor<ui8>
    %425 = stablehlo.broadcast_in_dim %c_176, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %426 = stablehlo.xor %424, %425 : tensor<10xui8>
    %c_177 = stablehlo.constant dense<1> : tensor<ui8>
    %427 = stablehlo.broadcast_in_dim %c_177, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %428 = stablehlo.shift_left %418, %427 : tensor<10xui8>
    %429 = call @_where_2(%422, %426, %428) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_178 = stablehlo.constant dense<128> : tensor<ui8>
    %430 = stablehlo.broadcast_in_dim %c_178, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %431 = stablehlo.and %429, %430 : tensor<10xui8>
    %c_179 = stablehlo.constant dense<0> : tensor<ui8>
    %432 = stablehlo.broadcast_in_dim %c_179, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %433 = stablehlo.compare NE, %431, %432, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_180 = stablehlo.constant dense<1> : tensor<ui8>
    %434 = stablehlo.broadcast_in_dim %c_180, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %435 = stablehlo.shift_left %429, %434 : tensor<10xui8>
    %c_181 = stablehlo.constant dense<7> : tensor<ui8>
    %436 = stablehlo.broadcast_in_dim %c_181, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %437 = stablehlo.xor %435, %436 : tensor<10xui8>
    %c_182 = stablehlo.constant dense<1> : tensor<ui8>
    %438 = stablehlo.broadcast_in_dim %c_182, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %439 = stablehlo.shift_left %429, %438 : tensor<10xui8>
    %440 = call @_where_2(%433, %437, %439) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_183 = stablehlo.constant dense<128> : tensor<ui8>
    %441 = stablehlo.broadcast_in_dim %c_183, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %442 = stablehlo.and %440, %441 : tensor<10xui8>
    %c_184 = stablehlo.constant dense<0> : tensor<ui8>
    %443 = stablehlo.broadcast_in_dim %c_184, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %444 = stablehlo.compare NE, %442, %443, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_185 = stablehlo.constant dense<1> : tensor<ui8>
    %445 = stablehlo.broadcast_in_dim %c_185, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %446 = stablehlo.shift_left %440, %445 : tensor<10xui8>
    %c_186 = stablehlo.constant dense<7> : tensor<ui8>
    %447 = stablehlo.broadcast_in_dim %c_186, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %448 = stablehlo.xor %446, %447 : tensor<10xui8>
    %c_187 = stablehlo.constant dense<1> : tensor<ui8>
    %449 = stablehlo.broadcast_in_dim %c_187, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %450 = stablehlo.shift_left %440, %449 : tensor<10xui8>
    %451 = call @_where_2(%444, %448, %450) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_188 = stablehlo.constant dense<128> : tensor<ui8>
    %452 = stablehlo.broadcast_in_dim %c_188, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %453 = stablehlo.and %451, %452 : tensor<10xui8>
    %c_189 = stablehlo.constant dense<0> : tensor<ui8>
    %454 = stablehlo.broadcast_in_dim %c_189, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %455 = stablehlo.compare NE, %453, %454, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_190 = stablehlo.constant dense<1> : tensor<ui8>
    %456 = stablehlo.broadcast_in_dim %c_190, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %457 = stablehlo.shift_left %451, %456 : tensor<10xui8>
    %c_191 = stablehlo.constant dense<7> : tensor<ui8>
    %458 = stablehlo.broadcast_in_dim %c_191, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %459 = stablehlo.xor %457, %458 : tensor<10xui8>
    %c_192 = stablehlo.constant dense<1> : tensor<ui8>
    %460 = stablehlo.broadcast_in_dim %c_192, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %461 = stablehlo.shift_left %451, %460 : tensor<10xui8>
    %462 = call @_where_2(%455, %459, %461) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_193 = stablehlo.constant dense<128> : tensor<ui8>
    %463 = stablehlo.broadcast_in_dim %c_193, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %464 = stablehlo.and %462, %463 : tensor<10xui8>
    %c_194 = stablehlo.constant dense<0> : tensor<ui8>
    %465 = stablehlo.broadcast_in_dim %c_194, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %466 = stablehlo.compare NE, %464, %465, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_195 = stablehlo.constant dense<1> : tensor<ui8>
    %467 = stablehlo.broadcast_in_dim %c_195, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %468 = stablehlo.shift_left %462, %467 : tensor<10xui8>
    %c_196 = stablehlo.constant dense<7> : tensor<ui8>
    %469 = stablehlo.broadcast_in_dim %c_196, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %470 = stablehlo.xor %468, %469 : tensor<10xui8>
    %c_197 = stablehlo.constant dense<1> : tensor<ui8>
    %471 = stablehlo.broadcast_in_dim %c_197, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %472 = stablehlo.shift_left %462, %471 : tensor<10xui8>
    %473 = call @_where_2(%466, %470, %472) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %c_198 = stablehlo.constant dense<128> : tensor<ui8>
    %474 = stablehlo.broadcast_in_dim %c_198, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %475 = stablehlo.and %473, %474 : tensor<10xui8>
    %c_199 = stablehlo.constant dense<0> : tensor<ui8>
    %476 = stablehlo.broadcast_in_dim %c_199, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %477 = stablehlo.compare NE, %475, %476, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %c_200 = stablehlo.constant dense<1> : tensor<ui8>
    %478 = stablehlo.broadcast_in_dim %c_200, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %479 = stablehlo.shift_left %473, %478 : tensor<10xui8>
    %c_201 = stablehlo.constant dense<7> : tensor<ui8>
    %480 = stablehlo.broadcast_in_dim %c_201, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %481 = stablehlo.xor %479, %480 : tensor<10xui8>
    %c_202 = stablehlo.constant dense<1> : tensor<ui8>
    %482 = stablehlo.broadcast_in_dim %c_202, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %483 = stablehlo.shift_left %473, %482 : tensor<10xui8>
    %484 = call @_where_2(%477, %481, %483) : (tensor<10xi1>, tensor<10xui8>, tensor<10xui8>) -> tensor<10xui8>
    %485 = stablehlo.not %484 : tensor<10xui8>
    %486 = stablehlo.not %485 : tensor<10xui8>
    %487 = stablehlo.slice %118 [0:10, 0:1] : (tensor<10x16xui8>) -> tensor<10x1xui8>
    %488 = stablehlo.reshape %487 : (tensor<10x1xui8>) -> tensor<10xui8>
    %c_203 = stablehlo.constant dense<71> : tensor<ui8>
    %489 = stablehlo.broadcast_in_dim %c_203, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %490 = stablehlo.compare EQ, %488, %489, UNSIGNED : (tensor<10xui8>, tensor<10xui8>) -> tensor<10xi1>
    %491 = stablehlo.slice %118 [0:10, 1:2] : (tensor<10x16xui8>) -> tensor<10x1xui8>
    %492 = stablehlo.reshape %491 : (tensor<10x1xui8>) -> tensor<10xui8>
    %c_204 = stablehlo.constant dense<15> : tensor<ui8>
    %493 = stablehlo.broadcast_in_dim %c_204, dims = [] : (tensor<ui8>) -> tensor<10xui8>
    %494 = stablehlo.and %492, %493 : tensor<10xui8>
    %495 = stablehlo.convert %494 : (tensor<10xui8>) -> tensor<10xi64>
    %c_205 = stablehlo.constant dense<1> : tensor<i64>
    %496 = stablehlo.broadcast_in_dim %c_205, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %497 = stablehlo.multiply %495, %496 : tensor<10xi64>
    %c_206 = stablehlo.constant dense<0> : tensor<i64>
    %498 = stablehlo.broadcast_in_dim %c_206, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %499 = stablehlo.add %497, %498 : tensor<10xi64>
    %500 = stablehlo.iota dim = 0 : tensor<10xi64>
    %c_207 = stablehlo.constant dense<0> : tensor<i64>
    %501 = stablehlo.broadcast_in_dim %c_207, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %502 = stablehlo.compare GE, %499, %501, SIGNED : (tensor<10xi64>, tensor<10xi64>) -> tensor<10xi1>
    %c_208 = stablehlo.constant dense<16> : tensor<i64>
    %503 = stablehlo.broadcast_in_dim %c_208, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %504 = stablehlo.compare LT, %499, %503, SIGNED : (tensor<10xi64>, tensor<10xi64>) -> tensor<10xi1>
    %505 = stablehlo.and %502, %504 : tensor<10xi1>
    %c_209 = stablehlo.constant dense<0> : tensor<i64>
    %506 = stablehlo.broadcast_in_dim %c_209, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %507 = stablehlo.compare GE, %500, %506, SIGNED : (tensor<10xi64>, tensor<10xi64>) -> tensor<10xi1>
    %508 = stablehlo.and %505, %507 : tensor<10xi1>
    %509 = stablehlo.iota dim = 0 : tensor<10xi64>
    %510 = stablehlo.convert %509 : (tensor<10xi64>) -> tensor<10xui32>
    %c_210 = stablehlo.constant dense<0> : tensor<ui32>
    %511 = stablehlo.broadcast_in_dim %c_210, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %512 = stablehlo.add %510, %511 : tensor<10xui32>
    %c_211 = stablehlo.constant dense<16> : tensor<ui32>
    %513 = stablehlo.broadcast_in_dim %c_211, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %514 = stablehlo.shift_right_logical %512, %513 : tensor<10xui32>
    %515 = stablehlo.xor %512, %514 : tensor<10xui32>
    %c_212 = stablehlo.constant dense<2146121005> : tensor<ui32>
    %516 = stablehlo.broadcast_in_dim %c_212, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %517 = stablehlo.multiply %515, %516 : tensor<10xui32>
    %c_213 = stablehlo.constant dense<15> : tensor<ui32>
    %518 = stablehlo.broadcast_in_dim %c_213, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %519 = stablehlo.shift_right_logical %517, %518 : tensor<10xui32>
    %520 = stablehlo.xor %517, %519 : tensor<10xui32>
    %c_214 = stablehlo.constant dense<2221713035> : tensor<ui32>
    %521 = stablehlo.broadcast_in_dim %c_214, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %522 = stablehlo.multiply %520, %521 : tensor<10xui32>
    %c_215 = stablehlo.constant dense<16> : tensor<ui32>
    %523 = stablehlo.broadcast_in_dim %c_215, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %524 = stablehlo.shift_right_logical %522, %523 : tensor<10xui32>
    %525 = stablehlo.xor %522, %524 : tensor<10xui32>
    %526 = stablehlo.slice %71 [0:10] : (tensor<160xui8>) -> tensor<10xui8>
    %527 = stablehlo.convert %526 : (tensor<10xui8>) -> tensor<10xui32>
    %c_216 = stablehlo.constant dense<0> : tensor<ui32>
    %528 = stablehlo.broadcast_in_dim %c_216, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %529 = stablehlo.add %527, %528 : tensor<10xui32>
    %c_217 = stablehlo.constant dense<16> : tensor<ui32>
    %530 = stablehlo.broadcast_in_dim %c_217, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %531 = stablehlo.shift_right_logical %529, %530 : tensor<10xui32>
    %532 = stablehlo.xor %529, %531 : tensor<10xui32>
    %c_218 = stablehlo.constant dense<2146121005> : tensor<ui32>
    %533 = stablehlo.broadcast_in_dim %c_218, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %534 = stablehlo.multiply %532, %533 : tensor<10xui32>
    %c_219 = stablehlo.constant dense<15> : tensor<ui32>
    %535 = stablehlo.broadcast_in_dim %c_219, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %536 = stablehlo.shift_right_logical %534, %535 : tensor<10xui32>
    %537 = stablehlo.xor %534, %536 : tensor<10xui32>
    %c_220 = stablehlo.constant dense<2221713035> : tensor<ui32>
    %538 = stablehlo.broadcast_in_dim %c_220, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %539 = stablehlo.multiply %537, %538 : tensor<10xui32>
    %c_221 = stablehlo.constant dense<16> : tensor<ui32>
    %540 = stablehlo.broadcast_in_dim %c_221, dims = [] : (tensor<ui32>) -> tensor<10xui32>
    %541 = stablehlo.shift_right_logical %539, %540 : tensor<10xui32>
    %542 = stablehlo.xor %539, %541 : tensor<10xui32>
    %543 = stablehlo.xor %525, %542 : tensor<10xui32>
    %544 = stablehlo.convert %543 : (tensor<10xui32>) -> tensor<10xui64>
    %c_222 = stablehlo.constant dense<32> : tensor<ui64>
    %545 = stablehlo.broadcast_in_dim %c_222, dims = [] : (tensor<ui64>) -> tensor<10xui64>
    %546 = stablehlo.shift_left %544, %545 : tensor<10xui64>
    %c_223 = stablehlo.constant dense<32> : tensor<ui64>
    %547 = stablehlo.broadcast_in_dim %c_223, dims = [] : (tensor<ui64>) -> tensor<10xui64>
    %548 = stablehlo.shift_right_logical %546, %547 : tensor<10xui64>
    %c_224 = stablehlo.constant dense<0> : tensor<ui64>
    %549 = stablehlo.reduce(%548 init: %c_224) applies stablehlo.add across dimensions = [0] : (tensor<10xui64>, tensor<ui64>) -> tensor<ui64>
    %550 = stablehlo.convert %45 : (tensor<2x64xi32>) -> tensor<2x64xi16>
    %551 = stablehlo.compare EQ, %88, %arg1, UNSIGNED : (tensor<160xui8>, tensor<160xui8>) -> tensor<160xi1>
    %c_225 = stablehlo.constant dense<true> : tensor<i1>
    %552 = stablehlo.reduce(%551 init: %c_225) applies stablehlo.and across dimensions = [0] : (tensor<160xi1>, tensor<i1>) -> tensor<i1>
    %c_226 = stablehlo.constant dense<1> : tensor<i32>
    %553 = stablehlo.broadcast_in_dim %c_226, dims = [] : (tensor<i32>) -> tensor<160xi32>
    %554 = stablehlo.and %116, %553 : tensor<160xi32>
    %555 = stablehlo.convert %554 : (tensor<160xi32>) -> tensor<160xi64>
    %556 = stablehlo.compare NE, %114, %555, SIGNED : (tensor<160xi64>, tensor<160xi64>) -> tensor<160xi1>
    %557 = stablehlo.and %490, %508 : tensor<10xi1>
    %c_227 = stablehlo.constant dense<99> : tensor<i64>
    %558 = call @_where_3(%557, %500, %c_227) : (tensor<10xi1>, tensor<10xi64>, tensor<i64>) -> tensor<10xi64>
    %c_228 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
    %559 = stablehlo.reduce(%558 init: %c_228) applies stablehlo.minimum across dimensions = [0] : (tensor<10xi64>, tensor<i64>) -> tensor<i64>
    %c_229 = stablehlo.constant dense<false> : tensor<i1>
    %560 = stablehlo.reduce(%490 init: %c_229) applies stablehlo.or across dimensions = [0] : (tensor<10xi1>, tensor<i1>) -> tensor<i1>
    %561 = stablehlo.subtract %arg2, %arg3 : tensor<i32>
    %c_230 = stablehlo.constant dense<0> : tensor<i32>
    %562 = stablehlo.maximum %561, %c_230 : tensor<i32>
    %c_231 = stablehlo.constant dense<1> : tensor<i32>
    %563 = stablehlo.multiply %562, %c_231 : tensor<i32>
    %c_232 = stablehlo.constant dense<0> : tensor<i32>
    %564 = stablehlo.add %563, %c_232 : tensor<i32>
    return %560, %564, %486, %559, %549, %35, %32, %57, %109, %556, %550, %6, %7, %10, %4, %552, %100, %117, %54 : tensor<i1>, tensor<i32>, tensor<10xui8>, tensor<i64>, tensor<ui64>, tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<160x2xui8>, tensor<160xi1>, tensor<2x64xi16>, tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2x0xi32>, tensor<i1>, tensor<160xui8>, tensor<0xui8>, tensor<2xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i64>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<2x4x1xi1>, %arg1: tensor<2x4x16xi32>, %arg2: tensor<i64>) -> tensor<2x4x16xi32> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<2x4x1xi1>) -> tensor<2x4x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<2x4x16xi32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x16xi1>, tensor<2x4x16xi32>
    return %3 : tensor<2x4x16xi32>
  }
  func.func private @_flip(%arg0: tensor<160x8xi1>) -> tensor<160x8xi1> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<160x8xi1>
    return %0 : tensor<160x8xi1>
  }
  func.func private @_where_1(%arg0: tensor<160x8xi1>, %arg1: tensor<8xui8>, %arg2: tensor<i64>) -> tensor<160x8xui8> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<ui8>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xui8>) -> tensor<160x8xui8>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui8>) -> tensor<160x8xui8>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<160x8xi1>, tensor<160x8xui8>
    return %3 : tensor<160x8xui8>
  }
  func.func private @_where_2(%arg0: tensor<10xi1>, %arg1: tensor<10xui8>, %arg2: tensor<10xui8>) -> tensor<10xui8> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<10xi1>, tensor<10xui8>
    return %0 : tensor<10xui8>
  }
  func.func private @_where_3(%arg0: tensor<10xi1>, %arg1: tensor<10xi64>, %arg2: tensor<i64>) -> tensor<10xi64> {
    %0 = stablehlo.convert %arg2 : tensor<i64>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i64>) -> tensor<10xi64>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<10xi1>, tensor<10xi64>
    return %2 : tensor<10xi64>
  }
}
