// A program for tests of records: every kind of proof line occurs.
func.func @main(%a: tensor<6x8xf32>, %b: tensor<8x6xf32>, %c: tensor<6x8xi1>) -> (tensor<3x4xf32>, tensor<8x6xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<6x8xf32>
  %two = stablehlo.constant dense<2.0> : tensor<6x8xf32>
  %z = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
  %s0 = stablehlo.add %a, %z : tensor<6x8xf32>
  %s1 = stablehlo.slice %s0 [0:6:1, 2:8:1] : (tensor<6x8xf32>) -> tensor<6x6xf32>
  %s2 = stablehlo.slice %s1 [1:6:2, 1:5:1] : (tensor<6x6xf32>) -> tensor<3x4xf32>
  %t0 = stablehlo.transpose %b, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %t1 = stablehlo.multiply %t0, %one : tensor<6x8xf32>
  %t2 = stablehlo.transpose %t1, dims = [1, 0] : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %r0 = stablehlo.reverse %a, dims = [0] : tensor<6x8xf32>
  %r1 = stablehlo.reverse %r0, dims = [0] : tensor<6x8xf32>
  %k = stablehlo.multiply %two, %one : tensor<6x8xf32>
  %m = stablehlo.maximum %r1, %k : tensor<6x8xf32>
  %n = stablehlo.not %c : tensor<6x8xi1>
  %w = stablehlo.select %n, %m, %m : tensor<6x8xi1>, tensor<6x8xf32>
  %q = stablehlo.pad %s2, %zero, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %v = stablehlo.subtract %t0, %a : tensor<6x8xf32>
  %u = stablehlo.add %v, %z : tensor<6x8xf32>
  return %q, %t2, %w, %u : tensor<3x4xf32>, tensor<8x6xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}
