func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %v = stablehlo.custom_call @first(%n) {has_side_effect = true} : (tensor<i32>) -> tensor<4xi32>
      %b = stablehlo.convert %v : (tensor<4xi32>) -> tensor<4xi1>
      stablehlo.custom_call @second(%b) {has_side_effect = true} : (tensor<4xi1>) -> ()
      %j = stablehlo.add %i, %zero : tensor<i32>
      %k = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %k : tensor<i32>
    }
  return %r : tensor<i32>
}
