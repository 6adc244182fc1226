// Infinities that go through operations of which nothing is known, through results of one of
// several, and through elements that are carried as text: no x - x here is 0.
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %inf = stablehlo.constant dense<0x7F800000> : tensor<3xf32>
  %a = stablehlo.optimization_barrier %inf : tensor<3xf32>
  %0 = stablehlo.subtract %a, %a : tensor<3xf32>
  %b:2 = stablehlo.optimization_barrier %x, %inf : tensor<3xf32>, tensor<3xf32>
  %1 = stablehlo.subtract %b#1, %b#1 : tensor<3xf32>
  %c = stablehlo.constant dense<(0x7F800000, 0.0)> : tensor<3xcomplex<f32>>
  %d = stablehlo.real %c : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  %2 = stablehlo.subtract %d, %d : tensor<3xf32>
  %e = stablehlo.constant dense<0x7C> : tensor<3xf8E5M2>
  %f = stablehlo.convert %e : (tensor<3xf8E5M2>) -> tensor<3xf32>
  %3 = stablehlo.subtract %f, %f : tensor<3xf32>
  %g = stablehlo.custom_call @pair(%inf) : (tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>
  %h = stablehlo.get_tuple_element %g[0] : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
  %4 = stablehlo.subtract %h, %h : tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
