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
};
const size_t n_play_program_examples = sizeof play_program_examples / sizeof *play_program_examples;

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
};
const size_t n_play_formula_examples = sizeof play_formula_examples / sizeof *play_formula_examples;
