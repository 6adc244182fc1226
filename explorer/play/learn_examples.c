// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/grounds.h"

const struct play_example play_learn_examples[] = {
    {.key = "pad",
     .title = "A slice of a padded array",
     .about = "The slice begins in the padding and ends inside of the array.",
     .text = "func.func @before(%x: tensor<24x10xf32>, %v: tensor<f32>) -> tensor<24x9xf32> {\n"
             "  %0 = stablehlo.pad %x, %v, low = [0, 7], high = [0, 4], interior = [0, 0]\n"
             "       : (tensor<24x10xf32>, tensor<f32>) -> tensor<24x21xf32>\n"
             "  %1 = stablehlo.slice %0 [0:24, 2:11] : (tensor<24x21xf32>) -> tensor<24x9xf32>\n"
             "  return %1 : tensor<24x9xf32>\n"
             "}\n",
     .field = {{"after",
                "func.func @after(%x: tensor<24x10xf32>, %v: tensor<f32>) -> tensor<24x9xf32> {\n"
                "  %0 = stablehlo.slice %x [0:24, 0:4] : (tensor<24x10xf32>) -> tensor<24x4xf32>\n"
                "  %1 = stablehlo.pad %0, %v, low = [0, 5], high = [0, 0], interior = [0, 0]\n"
                "       : (tensor<24x4xf32>, tensor<f32>) -> tensor<24x9xf32>\n"
                "  return %1 : tensor<24x9xf32>\n"
                "}\n"}}},
    {.key = "wrong",
     .title = "A pair that is not equal",
     .about = "Random arguments may agree: the maximum begins with 0.",
     .text = "func.func @before(%x: tensor<6x4xf32>) -> tensor<6xf32> {\n"
             "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
             "  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across "
             "dimensions = [1]\n"
             "       : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>\n"
             "  return %0 : tensor<6xf32>\n"
             "}\n",
     .field = {{"after", "func.func @after(%x: tensor<6x4xf32>) -> tensor<6xf32> {\n"
                         "  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
                         "  %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across "
                         "dimensions = [1]\n"
                         "       : (tensor<6x4xf32>, tensor<f32>) -> tensor<6xf32>\n"
                         "  return %0 : tensor<6xf32>\n"
                         "}\n"}}},
    {0},
};
