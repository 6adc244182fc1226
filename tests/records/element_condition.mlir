func.func @main(%a: tensor<2xi32>, %x: tensor<2xi32>) -> tensor<2xi32> {
  %h = stablehlo.constant dense<[5, 7]> : tensor<2xi32>
  %l = stablehlo.subtract %x, %x : tensor<2xi32>
  %m = stablehlo.minimum %a, %h : tensor<2xi32>
  %r = stablehlo.maximum %m, %l : tensor<2xi32>
  return %r : tensor<2xi32>
}
