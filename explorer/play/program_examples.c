// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/grounds.h"

const struct play_example play_program_examples[] = {
    {.key = "flip",
     .title = "An image that is flipped twice",
     .about = "Padding and two flips cancel out (StableHLO).",
     .text =
         "func.func @main(%image: tensor<32x48xf32>) -> tensor<8x24xf32> {\n"
         "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
         "  %0 = stablehlo.reverse %image, dims = [1] : tensor<32x48xf32>\n"
         "  %1 = stablehlo.pad %0, %zero, low = [2, 2], high = [2, 2], interior = [0, 0]\n"
         "       : (tensor<32x48xf32>, tensor<f32>) -> tensor<36x52xf32>\n"
         "  %2 = stablehlo.slice %1 [2:34, 2:50] : (tensor<36x52xf32>) -> tensor<32x48xf32>\n"
         "  %3 = stablehlo.reverse %2, dims = [1] : tensor<32x48xf32>\n"
         "  %4 = stablehlo.slice %3 [8:24:2, 0:48:2] : (tensor<32x48xf32>) -> tensor<8x24xf32>\n"
         "  return %4 : tensor<8x24xf32>\n"
         "}\n"},
    {.key = "halves",
     .title = "Cut apart and put together",
     .about = "Two halves of an array are joined in their old order (StableHLO).",
     .text = "func.func @main(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {\n"
             "  %0 = stablehlo.slice %x [0:64, 0:64] : (tensor<64x128xf32>) -> tensor<64x64xf32>\n"
             "  %1 = stablehlo.slice %x [0:64, 64:128] : (tensor<64x128xf32>) -> "
             "tensor<64x64xf32>\n"
             "  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<64x64xf32>, "
             "tensor<64x64xf32>) -> tensor<64x128xf32>\n"
             "  %3 = stablehlo.negate %2 : tensor<64x128xf32>\n"
             "  %4 = stablehlo.negate %3 : tensor<64x128xf32>\n"
             "  return %4 : tensor<64x128xf32>\n"
             "}\n"},
    {.key = "mask",
     .title = "A mask of constants",
     .about = "What is multiplied by one and added to zero, before a product of matrices "
              "(StableHLO). Ask it with real numbers too: floats keep the sum with zero, because "
              "of -0.",
     .text = "func.func @main(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>) -> tensor<8x16xf32> {\n"
             "  %one = stablehlo.constant dense<1.0> : tensor<16x32xf32>\n"
             "  %zero = stablehlo.constant dense<0.0> : tensor<16x32xf32>\n"
             "  %0 = stablehlo.multiply %a, %one : tensor<16x32xf32>\n"
             "  %1 = stablehlo.add %0, %zero : tensor<16x32xf32>\n"
             "  %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0] : "
             "(tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>\n"
             "  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<16x8xf32>) -> "
             "tensor<8x16xf32>\n"
             "  return %3 : tensor<8x16xf32>\n"
             "}\n"},
    {.key = "relu",
     .title = "A transpose and back",
     .about = "The same maximum twice between two transposes (HLO text).",
     .text = "HloModule twice\n"
             "\n"
             "ENTRY main {\n"
             "  x = f32[16,32] parameter(0)\n"
             "  t = f32[32,16] transpose(x), dimensions={1,0}\n"
             "  zero = f32[] constant(0)\n"
             "  zeros = f32[32,16] broadcast(zero), dimensions={}\n"
             "  bigger = f32[32,16] maximum(t, zeros)\n"
             "  again = f32[32,16] maximum(bigger, zeros)\n"
             "  ROOT back = f32[16,32] transpose(again), dimensions={1,0}\n"
             "}\n"},
    {0},
};

const struct play_example play_formula_examples[] = {
    {.key = "gelu",
     .title = "GELU",
     .about = "A constant that was written as digits is recovered.",
     .text = "0.5*x*(1 + erf(x*0.7071067811))\n"},
    {.key = "softmax",
     .title = "Softmax, stable",
     .about = "The maximum that is subtracted makes no difference to the value.",
     .text = "tensor x[i]; exp(x[i] - max[i](x[i])) / sum[i](exp(x[i] - max[i](x[i])))\n"},
    {.key = "sigmoid",
     .title = "Sigmoid",
     .about = "By the hyperbolic tangent.",
     .text = "0.5*(1 + tanh(x/2))\n"},
    {.key = "variance",
     .title = "Variance",
     .about = "Of the mean of squares.",
     .text = "tensor x[i]; sum[i](x[i]^2)/size(i) - (sum[i](x[i])/size(i))^2\n"},
    {0},
};
