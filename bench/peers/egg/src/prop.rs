// SPDX-License-Identifier: Apache-2.0
//! The language of prop.rules and its constant folding, as in egg's own test
//! tests/prop.rs.

use egg::*;

define_language! {
    pub enum Prop {
        Bool(bool),
        "&" = And([Id; 2]),
        "~" = Not(Id),
        "|" = Or([Id; 2]),
        "->" = Implies([Id; 2]),
        Symbol(Symbol),
    }
}

#[derive(Default)]
pub struct Fold;

impl Analysis<Prop> for Fold {
    type Data = Option<(bool, PatternAst<Prop>)>;

    fn make(egraph: &mut EGraph<Prop, Self>, node: &Prop, _: Id) -> Self::Data {
        let x = |i: &Id| egraph[*i].data.as_ref().map(|d| d.0);
        let (value, from) = match node {
            Prop::Bool(c) => (*c, c.to_string()),
            Prop::Symbol(_) => return None,
            Prop::Not(a) => (!x(a)?, format!("(~ {})", x(a)?)),
            Prop::And([a, b]) => (x(a)? && x(b)?, format!("(& {} {})", x(a)?, x(b)?)),
            Prop::Or([a, b]) => (x(a)? || x(b)?, format!("(| {} {})", x(a)?, x(b)?)),
            Prop::Implies([a, b]) => (!x(a)? || x(b)?, format!("(-> {} {})", x(a)?, x(b)?)),
        };
        Some((value, from.parse().unwrap()))
    }

    fn merge(&mut self, to: &mut Self::Data, from: Self::Data) -> DidMerge {
        merge_option(to, from, |a, b| {
            assert_eq!(a.0, b.0, "true is false");
            DidMerge(false, false)
        })
    }

    fn modify(egraph: &mut EGraph<Prop, Self>, id: Id) {
        if let Some((value, from)) = egraph[id].data.clone() {
            let value = value.to_string().parse().unwrap();
            egraph.union_instantiations(&from, &value, &Default::default(), "analysis");
        }
    }
}
