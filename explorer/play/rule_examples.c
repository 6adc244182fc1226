// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/grounds.h"

const struct play_example play_rule_examples[] = {
    {.key = "slice_of_slice",
     .title = "Slicing twice",
     .about = "False: the limit overshoots where the stride does not divide. One click repairs it.",
     .text = "/// Slicing twice is slicing once.\n"
             "rule my_slice_of_slice {\n"
             "  axes x;\n"
             "  map n, s, e, p, t, f, q on x;\n"
             "  tensor A[x: n] : any;\n"
             "  slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)\n"
             "    => slice(A, start=s+t*p, limit=s+f*p, stride=p*q);\n"
             "}\n"},
    {.key = "llvm_20186",
     .title = "A bug of LLVM",
     .about = "InstCombine did this once (LLVM bug 20186, found by Alive): -(X / C) became X / -C. "
              "It is false for machine integers: the negative of the least one is itself.",
     .text = "/// The negative of a quotient is the quotient by the negative.\n"
             "rule negate_of_divide {\n"
             "  axes x;\n"
             "  map n on x;\n"
             "  tensor X[x: n] : num, C[x: n] : num;\n"
             "  where all(C != 0);\n"
             "  negate(divide(X, C)) => divide(X, negate(C));\n"
             "}\n"},
    {.key = "fold_padding",
     .title = "Padding into a convolution",
     .about = "True for any number of spatial axes, all strides and dilations. Without pl >= 0 it "
              "is false.",
     .text = "/// Padding before a convolution becomes padding of the convolution.\n"
             "rule my_fold_padding {\n"
             "  axis b, f, o;\n"
             "  axes s;\n"
             "  map nb on b;\n"
             "  map nf on f;\n"
             "  map no on o;\n"
             "  map n, w, pl, ph, pi, l, h, d, r, t on s;\n"
             "  tensor A[b: nb, f: nf, s: n] : num, K[f: nf, o: no, s: w] : num;\n"
             "  where n >= 1, pl >= 0, ph >= 0;\n"
             "  conv(pad(A, 0, low={s: pl}, high={s: ph}, interior={s: pi}), K,\n"
             "       feature={f}, spatial={s}, stride=t, low=l, high=h,\n"
             "       dilation=d, kernel_dilation=r)\n"
             "    => conv(A, K, feature={f}, spatial={s}, stride=t, low=l+d*pl, high=h+d*ph,\n"
             "            dilation=d+d*pi, kernel_dilation=r);\n"
             "}\n"},
    {.key = "distribute",
     .title = "The distributive law",
     .about = "True for integers and real numbers, false for floats: each product is rounded.",
     .text = "/// A factor moves into a sum.\n"
             "rule my_distribute {\n"
             "  axes x;\n"
             "  map n on x;\n"
             "  tensor A[x: n] : num, B[x: n] : num, C[x: n] : num;\n"
             "  multiply(A, add(B, C)) => add(multiply(A, B), multiply(A, C));\n"
             "}\n"},
    {.key = "slice_undoes_pad",
     .title = "A slice undoes padding",
     .about = "True, but narrow: Generalise finds what the condition may become.",
     .text = "/// A slice takes away what padding at the low end has added.\n"
             "rule my_slice_of_pad {\n"
             "  axes x;\n"
             "  map n, l on x;\n"
             "  tensor A[x: n] : any;\n"
             "  scalar v : any;\n"
             "  where l >= 0;\n"
             "  slice(pad(A, v, low=l, high=0), start=l, limit=l+n) => A;\n"
             "}\n"},
    {0},
};
