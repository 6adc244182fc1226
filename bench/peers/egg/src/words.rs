// SPDX-License-Identifier: Apache-2.0
//! The languages of lattice.rules and bits.rules, without analysis and conditions.

use egg::*;

define_language! {
    pub enum Lattice {
        "min" = Min([Id; 2]),
        "max" = Max([Id; 2]),
        Symbol(Symbol),
    }
}

define_language! {
    pub enum Bits {
        "&" = And([Id; 2]),
        "|" = Or([Id; 2]),
        "^" = Xor([Id; 2]),
        "+" = Add([Id; 2]),
        "-" = Sub([Id; 2]),
        "<<" = Shl([Id; 2]),
        ">>" = Shr([Id; 2]),
        "~" = Not(Id),
        Number(i64),
        Symbol(Symbol),
    }
}
