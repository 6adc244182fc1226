// A slice that begins in the low padding and ends inside of the operand.
func.func @before(%x: tensor<24x10xf32>, %v: tensor<f32>) -> tensor<24x9xf32> {
  %0 = stablehlo.pad %x, %v, low = [0, 7], high = [0, 4], interior = [0, 0] : (tensor<24x10xf32>, tensor<f32>) -> tensor<24x21xf32>
  %1 = stablehlo.slice %0 [0:24, 2:11] : (tensor<24x21xf32>) -> tensor<24x9xf32>
  return %1 : tensor<24x9xf32>
}
func.func @after(%x: tensor<24x10xf32>, %v: tensor<f32>) -> tensor<24x9xf32> {
  %0 = stablehlo.slice %x [0:24, 0:4] : (tensor<24x10xf32>) -> tensor<24x4xf32>
  %1 = stablehlo.pad %0, %v, low = [0, 5], high = [0, 0], interior = [0, 0] : (tensor<24x4xf32>, tensor<f32>) -> tensor<24x9xf32>
  return %1 : tensor<24x9xf32>
}
