// SPDX-License-Identifier: Apache-2.0
//! The language of lambda.rules, its free variables and constant folding, and its
//! conditions, as in egg's own test tests/lambda.rs.

use egg::*;
use rustc_hash::FxHashSet;

define_language! {
    pub enum Lambda {
        Bool(bool),
        Num(i32),
        "var" = Var(Id),
        "+" = Add([Id; 2]),
        "=" = Eq([Id; 2]),
        "app" = App([Id; 2]),
        "lam" = Lam([Id; 2]),
        "let" = Let([Id; 3]),
        "fix" = Fix([Id; 2]),
        "if" = If([Id; 3]),
        Symbol(Symbol),
    }
}

impl Lambda {
    fn num(&self) -> Option<i32> {
        match self {
            Lambda::Num(n) => Some(*n),
            _ => None,
        }
    }
}

impl crate::Fresh for Lambda {
    fn fresh(class: Id) -> Option<Self> {
        Some(Lambda::Symbol(format!("_{class}").into()))
    }
}

#[derive(Default)]
pub struct Fold;

#[derive(Debug)]
pub struct Data {
    free: FxHashSet<Id>,
    constant: Option<(Lambda, PatternAst<Lambda>)>,
}

fn eval(egraph: &EGraph<Lambda, Fold>, node: &Lambda) -> Option<(Lambda, PatternAst<Lambda>)> {
    let x = |i: &Id| egraph[*i].data.constant.as_ref().map(|c| &c.0);
    let (value, from) = match node {
        Lambda::Num(_) | Lambda::Bool(_) => (node.clone(), node.to_string()),
        Lambda::Add([a, b]) => (
            Lambda::Num(x(a)?.num()?.checked_add(x(b)?.num()?)?),
            format!("(+ {} {})", x(a)?, x(b)?),
        ),
        Lambda::Eq([a, b]) => (
            Lambda::Bool(x(a)? == x(b)?),
            format!("(= {} {})", x(a)?, x(b)?),
        ),
        _ => return None,
    };
    Some((value, from.parse().unwrap()))
}

impl Analysis<Lambda> for Fold {
    type Data = Data;

    fn make(egraph: &mut EGraph<Lambda, Self>, node: &Lambda, _: Id) -> Data {
        let f = |i: &Id| egraph[*i].data.free.iter().cloned();
        let mut free = FxHashSet::default();
        match node {
            Lambda::Var(v) => {
                free.insert(*v);
            }
            Lambda::Let([v, a, b]) => {
                free.extend(f(b));
                free.remove(v);
                free.extend(f(a));
            }
            Lambda::Lam([v, a]) | Lambda::Fix([v, a]) => {
                free.extend(f(a));
                free.remove(v);
            }
            _ => node.for_each(|c| free.extend(&egraph[c].data.free)),
        }
        Data {
            constant: eval(egraph, node),
            free,
        }
    }

    fn merge(&mut self, to: &mut Data, from: Data) -> DidMerge {
        let before = to.free.len();
        to.free.retain(|i| from.free.contains(i));
        let free = DidMerge(before != to.free.len(), to.free.len() != from.free.len());
        free | merge_option(&mut to.constant, from.constant, |a, b| {
            assert_eq!(a.0, b.0, "two values are equal");
            DidMerge(false, false)
        })
    }

    fn modify(egraph: &mut EGraph<Lambda, Self>, id: Id) {
        let Some((value, from)) = egraph[id].data.constant.clone() else {
            return;
        };
        if egraph.are_explanations_enabled() {
            let value = value.to_string().parse().unwrap();
            egraph.union_instantiations(&value, &from, &Default::default(), "analysis");
        } else {
            let value = egraph.add(value);
            egraph.union(id, value);
        }
    }
}

pub enum Check {
    Const(Var),
    NotSameVar(Var, Var),
    NotFree(Var, Var),
    Same(ConditionEqual<Lambda>),
}

impl crate::Check<Lambda, Fold> for Check {
    fn new(name: &str, args: &[Pattern<Lambda>]) -> Option<Self> {
        let var = |i: usize| crate::as_var(args.get(i)?);
        match (name, args) {
            ("is_const", [_]) => Some(Check::Const(var(0)?)),
            ("is_not_same_var", [_, _]) => Some(Check::NotSameVar(var(0)?, var(1)?)),
            ("is_not_free", [_, _]) => Some(Check::NotFree(var(0)?, var(1)?)),
            ("same", [a, b]) => Some(Check::Same(ConditionEqual::new(a.clone(), b.clone()))),
            _ => None,
        }
    }

    fn holds(&self, egraph: &mut EGraph<Lambda, Fold>, class: Id, subst: &Subst) -> bool {
        match self {
            Check::Const(v) => egraph[subst[*v]].data.constant.is_some(),
            Check::NotSameVar(v, w) => egraph.find(subst[*v]) != egraph.find(subst[*w]),
            Check::NotFree(v, e) => !egraph[subst[*e]].data.free.contains(&subst[*v]),
            Check::Same(equal) => equal.check(egraph, class, subst),
        }
    }
}
