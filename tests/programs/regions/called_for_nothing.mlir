module {
func.func private @f(%a: tensor<2xf32>) {
  "stablehlo.custom_call"(%a) {call_target_name = "g", has_side_effect = true} : (tensor<2xf32>) -> ()
  return
}
func.func private @pure(%a: tensor<2xf32>) {
  return
}
func.func private @g(%a: tensor<2xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.negate"(%a) : (tensor<2xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  call @f(%a) : (tensor<2xf32>) -> ()
  call @pure(%a) : (tensor<2xf32>) -> ()
  %u = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %0 = stablehlo.negate %a : tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
}
