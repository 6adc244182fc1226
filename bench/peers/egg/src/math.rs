// SPDX-License-Identifier: Apache-2.0
//! The language of math.rules, mm.rules and ac.rules, its constant folding and
//! its conditions, as in egg's own test tests/math.rs.

use egg::*;
use ordered_float::NotNan;

pub type Constant = NotNan<f64>;

define_language! {
    pub enum Math {
        "d" = Diff([Id; 2]),
        "i" = Integral([Id; 2]),
        "+" = Add([Id; 2]),
        "-" = Sub([Id; 2]),
        "*" = Mul([Id; 2]),
        "/" = Div([Id; 2]),
        "pow" = Pow([Id; 2]),
        "ln" = Ln(Id),
        "sqrt" = Sqrt(Id),
        "sin" = Sin(Id),
        "cos" = Cos(Id),
        Constant(Constant),
        Symbol(Symbol),
    }
}

#[derive(Default)]
pub struct Fold;

impl Analysis<Math> for Fold {
    /// The number of a class, and the term it was computed from.
    type Data = Option<(Constant, PatternAst<Math>)>;

    fn make(egraph: &mut EGraph<Math, Self>, node: &Math, _: Id) -> Self::Data {
        let x = |i: &Id| egraph[*i].data.as_ref().map(|d| d.0);
        let (op, a, b, c) = match node {
            Math::Constant(c) => return Some((*c, c.to_string().parse().unwrap())),
            Math::Add([a, b]) => ('+', x(a)?, x(b)?, x(a)? + x(b)?),
            Math::Sub([a, b]) => ('-', x(a)?, x(b)?, x(a)? - x(b)?),
            Math::Mul([a, b]) => ('*', x(a)?, x(b)?, x(a)? * x(b)?),
            Math::Div([a, b]) if *x(b)? != 0.0 => ('/', x(a)?, x(b)?, x(a)? / x(b)?),
            _ => return None,
        };
        Some((c, format!("({op} {a} {b})").parse().unwrap()))
    }

    fn merge(&mut self, to: &mut Self::Data, from: Self::Data) -> DidMerge {
        merge_option(to, from, |a, b| {
            assert_eq!(a.0, b.0, "two numbers are equal");
            DidMerge(false, false)
        })
    }

    fn modify(egraph: &mut EGraph<Math, Self>, id: Id) {
        let Some((c, from)) = egraph[id].data.clone() else {
            return;
        };
        if egraph.are_explanations_enabled() {
            let number = c.to_string().parse().unwrap();
            egraph.union_instantiations(&from, &number, &Default::default(), "constant_fold");
        } else {
            let number = egraph.add(Math::Constant(c));
            egraph.union(id, number);
        }
        egraph[id].nodes.retain(|n| n.is_leaf());
    }
}

/// An analysis that may know the number of a class.
pub trait Numbers: Analysis<Math> {
    fn number(data: &Self::Data) -> Option<f64>;
}

impl Numbers for () {
    fn number(_: &()) -> Option<f64> {
        None
    }
}

impl Numbers for Fold {
    fn number(data: &Self::Data) -> Option<f64> {
        data.as_ref().map(|d| *d.0)
    }
}

pub enum Check {
    Const(Var),
    Sym(Var),
    NotZero(Var),
    ConstOrDistinctVar(Var, Var),
}

impl<A: Numbers> crate::Check<Math, A> for Check {
    fn new(name: &str, args: &[Pattern<Math>]) -> Option<Self> {
        let var = |i: usize| crate::as_var(args.get(i)?);
        match (name, args.len()) {
            ("is_const", 1) => Some(Check::Const(var(0)?)),
            ("is_sym", 1) => Some(Check::Sym(var(0)?)),
            ("is_not_zero", 1) => Some(Check::NotZero(var(0)?)),
            ("is_const_or_distinct_var", 2) => Some(Check::ConstOrDistinctVar(var(0)?, var(1)?)),
            _ => None,
        }
    }

    fn holds(&self, egraph: &mut EGraph<Math, A>, _: Id, subst: &Subst) -> bool {
        let number = |v: &Var| A::number(&egraph[subst[*v]].data);
        let symbol = |v: &Var| {
            let nodes = &egraph[subst[*v]].nodes;
            nodes.iter().any(|n| matches!(n, Math::Symbol(_)))
        };
        match self {
            Check::Const(v) => number(v).is_some(),
            Check::Sym(v) => symbol(v),
            Check::NotZero(v) => number(v) != Some(0.0),
            Check::ConstOrDistinctVar(v, w) => {
                egraph.find(subst[*v]) != egraph.find(subst[*w])
                    && (number(v).is_some() || symbol(v))
            }
        }
    }
}
