// A function that is called once, as exported programs have it: what the rules find in the copy,
// they find though the call is the smaller term.
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<9xf32> {
  %0 = call @ramp(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
func.func private @ramp(%from: tensor<f32>, %to: tensor<f32>) -> tensor<9xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<8xf32>
  %part = stablehlo.divide %i, %eight : tensor<8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8xf32>
  %rest = stablehlo.subtract %one, %part : tensor<8xf32>
  %first = stablehlo.reshape %from : (tensor<f32>) -> tensor<1xf32>
  %u = stablehlo.broadcast_in_dim %first, dims = [0] : (tensor<1xf32>) -> tensor<8xf32>
  %v = stablehlo.multiply %u, %rest : tensor<8xf32>
  %last = stablehlo.reshape %to : (tensor<f32>) -> tensor<1xf32>
  %w = stablehlo.broadcast_in_dim %last, dims = [0] : (tensor<1xf32>) -> tensor<8xf32>
  %x = stablehlo.multiply %w, %part : tensor<8xf32>
  %sum = stablehlo.add %v, %x : tensor<8xf32>
  %all = stablehlo.concatenate %sum, %last, dim = 0 : (tensor<8xf32>, tensor<1xf32>) -> tensor<9xf32>
  return %all : tensor<9xf32>
}
