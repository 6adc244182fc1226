// A transpose between two reshapes: the block of one is not that of the other.
func.func @main(%a: tensor<3x5xi1>) -> tensor<3x5xi1> {
    %v4 = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x5xi1>) -> tensor<5x3xi1>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %v5 = stablehlo.broadcast_in_dim %v4, dims = [2, 3] : (tensor<5x3xi1>) -> tensor<1x1x5x3xi1>
    %v6 = stablehlo.reduce(%v5 init: %c) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<1x1x5x3xi1>, tensor<i1>) -> tensor<5x3xi1>
    %v7 = stablehlo.reshape %v6 : (tensor<5x3xi1>) -> tensor<3x5xi1>
    return %v7 : tensor<3x5xi1>
}
