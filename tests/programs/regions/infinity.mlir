// What a constant that is not finite reaches by a loop, by a call, and by a call with a side effect
// is no real number: a - a is not 0 there.
module @infinity {
  func.func public @main(%x: tensor<3xf32>, %n: tensor<i32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %inf = stablehlo.constant dense<0x7F800000> : tensor<3xf32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %w:2 = stablehlo.while(%i = %zero, %a = %inf) : tensor<i32>, tensor<3xf32> cond {
      %p = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %d = stablehlo.subtract %a, %a : tensor<3xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j, %d : tensor<i32>, tensor<3xf32>
    }
    %c = call @pure(%x) : (tensor<3xf32>) -> tensor<3xf32>
    %e = call @pure(%inf) : (tensor<3xf32>) -> tensor<3xf32>
    %s = stablehlo.add %c, %e : tensor<3xf32>
    %t = call @effect(%inf) : (tensor<3xf32>) -> tensor<3xf32>
    return %w#1, %s, %t : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
  func.func private @pure(%a: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.cosine %a : tensor<3xf32>
    %1 = stablehlo.sine %0 : tensor<3xf32>
    %2 = stablehlo.subtract %a, %a : tensor<3xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<3xf32>
    return %3 : tensor<3xf32>
  }
  func.func private @effect(%a: tensor<3xf32>) -> tensor<3xf32> {
    stablehlo.custom_call @touch(%a) {has_side_effect = true} : (tensor<3xf32>) -> ()
    %0 = stablehlo.subtract %a, %a : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}
