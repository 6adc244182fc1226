func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xi8>, %arg2: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
  %inf = stablehlo.constant dense<0x7F800000> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %a = stablehlo.add %arg0, %inf : tensor<2xf32>
  %b = stablehlo.subtract %a, %inf : tensor<2xf32>
  %c = stablehlo.compare GT, %b, %zero : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %d = stablehlo.select %c, %arg1, %arg2 : tensor<2xi1>, tensor<2xi8>
  %e = stablehlo.compare GT, %arg0, %zero : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %f = stablehlo.select %e, %arg1, %arg2 : tensor<2xi1>, tensor<2xi8>
  return %d, %f : tensor<2xi8>, tensor<2xi8>
}
