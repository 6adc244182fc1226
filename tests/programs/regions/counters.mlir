// Values of loops that begin alike: which are equal at every step?
// @main: three counters with one step are, and so is what is computed of them (y and z).
func.func @main(%n: tensor<i32>, %x: tensor<8xf32>) -> (tensor<i32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %0:6 = stablehlo.while(%i = %zero, %y = %x, %j = %zero, %z = %x, %k = %zero, %s = %step) : tensor<i32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<i32>, tensor<i32>
   cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %step : tensor<i32>
    %3 = stablehlo.add %j, %step : tensor<i32>
    %4 = stablehlo.add %k, %s : tensor<i32>
    %5 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.sine %6 : tensor<8xf32>
    %8 = stablehlo.multiply %y, %7 : tensor<8xf32>
    %9 = stablehlo.convert %k : (tensor<i32>) -> tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.sine %10 : tensor<8xf32>
    %12 = stablehlo.multiply %z, %11 : tensor<8xf32>
    stablehlo.return %2, %8, %3, %12, %4, %s : tensor<i32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<i32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<i32>
}
// @apart: none are.  j takes another step, k begins elsewhere, l and m follow i and j: they are alike
// for one step only.
func.func @apart(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:5 = stablehlo.while(%i = %zero, %j = %zero, %k = %one, %l = %zero, %m = %zero) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
   cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.add %j, %two : tensor<i32>
    %4 = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %2, %3, %4, %i, %j : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
// @drawn: values that two side effects give are not.
func.func @drawn(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %j = %zero, %k = %zero) : tensor<i32>, tensor<i32>, tensor<i32>
   cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.custom_call @draw(%j) {has_side_effect = true} : (tensor<i32>) -> tensor<i32>
    %4 = stablehlo.custom_call @draw(%k) {has_side_effect = true} : (tensor<i32>) -> tensor<i32>
    stablehlo.return %2, %3, %4 : tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1, %0#2 : tensor<i32>, tensor<i32>, tensor<i32>
}
