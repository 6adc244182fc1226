func.func @main(%x: tensor<4x4xf32>, %n: tensor<i1>, %m: tensor<i1>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %z = stablehlo.negate %x : tensor<4x4xf32>
  %y = stablehlo.negate %z : tensor<4x4xf32>
  %t = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = "stablehlo.if"(%n) ({
    %1 = stablehlo.add %t, %x : tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }, {
    stablehlo.return %x : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  %b = "stablehlo.if"(%m) ({
    %1 = stablehlo.subtract %t, %x : tensor<4x4xf32>
    stablehlo.return %1 : tensor<4x4xf32>
  }, {
    stablehlo.return %x : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}
