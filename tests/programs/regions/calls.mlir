// Calls: of functions that undo each other, of one with a loop that hands a value on, of one whose
// branch the caller decides.
module @calls {
  func.func public @main(%x: tensor<4x4xf32>, %n: tensor<i32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>) {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %y = call @flip(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %y2 = call @flip(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %r = call @relu(%y2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %l:2 = call @loop(%r, %two) : (tensor<4x4xf32>, tensor<i32>) -> (tensor<4x4xf32>, tensor<i32>)
    %l2:2 = call @loop(%l#0, %two) : (tensor<4x4xf32>, tensor<i32>) -> (tensor<4x4xf32>, tensor<i32>)
    %c = call @choose(%zero, %x) : (tensor<i32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %never = stablehlo.while(%it = %c) : tensor<4x4xf32> cond {
      %false = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %false : tensor<i1>
    } do {
      %tan = stablehlo.tan %it : tensor<4x4xf32>
      stablehlo.return %tan : tensor<4x4xf32>
    }
    return %l#0, %l2#0, %l2#1, %never : tensor<4x4xf32>, tensor<4x4xf32>, tensor<i32>, tensor<4x4xf32>
  }
  func.func private @flip(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func private @relu(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %b = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %0 = stablehlo.maximum %x, %b : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func private @loop(%x: tensor<4x4xf32>, %n: tensor<i32>) -> (tensor<4x4xf32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w:3 = stablehlo.while(%i = %zero, %acc = %x, %k = %n) : tensor<i32>, tensor<4x4xf32>, tensor<i32>
     cond {
      %p = stablehlo.compare LT, %i, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %s = stablehlo.sine %acc : tensor<4x4xf32>
      %t = call @flip(%s) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %t, %k : tensor<i32>, tensor<4x4xf32>, tensor<i32>
    }
    return %w#1, %w#2 : tensor<4x4xf32>, tensor<i32>
  }
  func.func private @choose(%k: tensor<i32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.case"(%k) ({
      %a = stablehlo.cosine %x : tensor<4x4xf32>
      stablehlo.return %a : tensor<4x4xf32>
    }, {
      %b = stablehlo.sine %x : tensor<4x4xf32>
      stablehlo.return %b : tensor<4x4xf32>
    }) : (tensor<i32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
