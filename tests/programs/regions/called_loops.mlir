// Loops whose bodies call functions: a counter twice, and a value that stays, behind calls.
module {
  func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:4 = stablehlo.while(%i = %zero, %j = %zero, %y = %x, %z = %x) : tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>
    cond {
      %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %c:3 = func.call @step(%j, %y, %z) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>)
      stablehlo.return %next, %c#0, %c#1, %c#2 : tensor<i32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>
    }
    return %r#2, %r#3 : tensor<4xf32>, tensor<4xf32>
  }
  func.func private @step(%j: tensor<i32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>) {
    %n = func.call @next(%j) : (tensor<i32>) -> tensor<i32>
    %f = stablehlo.convert %j : (tensor<i32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %p = stablehlo.multiply %y, %z : tensor<4xf32>
    %s = stablehlo.add %p, %b : tensor<4xf32>
    return %n, %s, %z : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @next(%j: tensor<i32>) -> tensor<i32> {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %j, %one : tensor<i32>
    return %n : tensor<i32>
  }
}
