// What a loop computes anew at each step though nothing in it changes: of one loop (e), of two (s,
// c), of a branch.  An effect stays in its loop, though its operand leaves the inner one.
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: tensor<i32>, %m: tensor<i32>, %p: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %outer:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<8xf32>, tensor<8xf32>
   cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %s = stablehlo.sine %x : tensor<8xf32>
    %t = stablehlo.multiply %a, %s : tensor<8xf32>
    %inner:3 = stablehlo.while(%j = %zero, %u = %t, %v = %b) : tensor<i32>, tensor<8xf32>, tensor<8xf32>
     cond {
      %on = stablehlo.compare LT, %j, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %on : tensor<i1>
    } do {
      %s2 = stablehlo.sine %x : tensor<8xf32>
      %c = stablehlo.cosine %s2 : tensor<8xf32>
      %e = stablehlo.exponential %t : tensor<8xf32>
      %u2 = stablehlo.add %u, %e : tensor<8xf32>
      %v2 = stablehlo.subtract %v, %c : tensor<8xf32>
      %j2 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %j2, %u2, %v2 : tensor<i32>, tensor<8xf32>, tensor<8xf32>
    }
    %e2 = stablehlo.exponential %t : tensor<8xf32>
    stablehlo.custom_call @tell(%e2) {has_side_effect = true} : (tensor<8xf32>) -> ()
    %i2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i2, %inner#1, %inner#2 : tensor<i32>, tensor<8xf32>, tensor<8xf32>
  }
  %chosen = "stablehlo.if"(%p) ({
    %l = stablehlo.sine %x : tensor<8xf32>
    %l2 = stablehlo.tanh %l : tensor<8xf32>
    stablehlo.return %l2 : tensor<8xf32>
  }, {
    %r = stablehlo.sine %x : tensor<8xf32>
    %r2 = stablehlo.abs %r : tensor<8xf32>
    stablehlo.return %r2 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %outer#1, %outer#2, %chosen : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
