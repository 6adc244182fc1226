// A call in a branch that two copies of its function share, in @main and in the body of a loop.
module {
  func.func private @same(%v: tensor<i32>) -> tensor<i32> {
    return %v : tensor<i32>
  }
  func.func private @lesser(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
    %less = stablehlo.compare LT, %x, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%less) ({
      %t = func.call @same(%y) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %t : tensor<i32>
    }, {
      stablehlo.return %x : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    return %r : tensor<i32>
  }
  func.func @main(%a: tensor<i32>, %b: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %p = func.call @lesser(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %q = func.call @lesser(%b, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    return %p, %q : tensor<i32>, tensor<i32>
  }
  func.func private @halves(%x: tensor<i32>, %y: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %d = stablehlo.add %y, %y : tensor<i32>
    %less = stablehlo.compare LT, %y, %y, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%less) ({
      %t = func.call @same(%y) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %t : tensor<i32>
    }, {
      stablehlo.return %d : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %q = func.call @same(%r) : (tensor<i32>) -> tensor<i32>
    return %x, %q : tensor<i32>, tensor<i32>
  }
  func.func @steps(%a: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %r:3 = stablehlo.while(%i = %zero, %y = %zero, %z = %zero) : tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %go = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %p:2 = func.call @halves(%y, %z) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
      %q:2 = func.call @halves(%z, %z) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
      stablehlo.return %n, %p#0, %q#0 : tensor<i32>, tensor<i32>, tensor<i32>
    }
    return %r#1, %r#2 : tensor<i32>, tensor<i32>
  }
}
