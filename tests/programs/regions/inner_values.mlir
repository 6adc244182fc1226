// Values of a loop and of a reducer that only branches use.
func.func @main(%a: tensor<i32>, %b: tensor<4xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %y = %a, %z = %one) : tensor<i32>, tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %go = "stablehlo.if"(%more) ({
      %small = stablehlo.compare LT, %z, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %small : tensor<i1>
    }, {
      stablehlo.return %more : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    %c = stablehlo.compare LT, %i, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %d = stablehlo.compare LT, %n, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %w = "stablehlo.if"(%c) ({
      %in = "stablehlo.if"(%d) ({
        %m = stablehlo.multiply %y, %n : tensor<i32>
        stablehlo.return %m : tensor<i32>
      }, {
        %m = stablehlo.subtract %z, %y : tensor<i32>
        stablehlo.return %m : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      stablehlo.return %in : tensor<i32>
    }, {
      stablehlo.return %y : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %n, %w, %n : tensor<i32>, tensor<i32>, tensor<i32>
  }
  %most = stablehlo.reduce(%b init: %a) across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
   reducer(%p: tensor<i32>, %q: tensor<i32>) {
    %less = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %l = "stablehlo.if"(%less) ({
      stablehlo.return %q : tensor<i32>
    }, {
      stablehlo.return %p : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %l : tensor<i32>
  }
  return %r#1, %r#2, %most : tensor<i32>, tensor<i32>, tensor<i32>
}
