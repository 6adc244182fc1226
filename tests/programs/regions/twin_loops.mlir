func.func @main(%n: tensor<i32>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %w:2 = stablehlo.while(%i = %c0, %s = %x) : tensor<i32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %v:2 = stablehlo.while(%j = %n, %t = %x) : tensor<i32>, tensor<f32>
        cond {
          %p = stablehlo.compare LT, %j, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %j1 = stablehlo.add %j, %c1 : tensor<i32>
          %t1 = stablehlo.multiply %t, %x : tensor<f32>
          stablehlo.return %j1, %t1 : tensor<i32>, tensor<f32>
        }
      %i1 = stablehlo.add %i, %c1 : tensor<i32>
      %s1 = stablehlo.add %s, %v#1 : tensor<f32>
      stablehlo.return %i1, %s1 : tensor<i32>, tensor<f32>
    }
  %w2:2 = stablehlo.while(%i = %c0, %s = %x) : tensor<i32>, tensor<f32>
    cond {
      %p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %v:2 = stablehlo.while(%j = %n, %t = %x) : tensor<i32>, tensor<f32>
        cond {
          %p = stablehlo.compare LT, %j, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %j1 = stablehlo.add %j, %c1 : tensor<i32>
          %t1 = stablehlo.multiply %t, %x : tensor<f32>
          stablehlo.return %j1, %t1 : tensor<i32>, tensor<f32>
        }
      %i1 = stablehlo.add %i, %c1 : tensor<i32>
      %s1 = stablehlo.subtract %s, %v#1 : tensor<f32>
      stablehlo.return %i1, %s1 : tensor<i32>, tensor<f32>
    }
  return %w#1, %w2#1 : tensor<f32>, tensor<f32>
}
