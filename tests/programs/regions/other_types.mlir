func.func @main(%p: tensor<i1>, %x: tensor<1000xi32>, %y: tensor<i32>, %q: tensor<0xi1>) -> (tensor<1000xi32>, tensor<i32>) {
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %y : tensor<i32>
  }, {
    stablehlo.return %x : tensor<1000xi32>
  }) : (tensor<i1>) -> tensor<1000xi32>
  %s = stablehlo.add %r, %x : tensor<1000xi32>
  %t = stablehlo.while(%i = %y) : tensor<i32>
    cond {
      stablehlo.return %q : tensor<0xi1>
    } do {
      stablehlo.return %i : tensor<i32>
    }
  return %s, %t : tensor<1000xi32>, tensor<i32>
}
