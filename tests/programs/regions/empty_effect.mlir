func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %e = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.while(%i = %n) : tensor<i32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %v = stablehlo.custom_call @first(%i) {has_side_effect = true} : (tensor<i32>) -> tensor<0xi32>
      %w = stablehlo.and %v, %e : tensor<0xi32>
      stablehlo.custom_call @second(%w) {has_side_effect = true} : (tensor<0xi32>) -> ()
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j : tensor<i32>
    }
  return %r : tensor<i32>
}
