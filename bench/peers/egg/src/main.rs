// SPDX-License-Identifier: Apache-2.0
//! Runs a rule file from a start file on egg and prints what came of it as one
//! line of JSON; see bench/terms/README.md.

mod math;
mod prop;

use egg::*;
use math::{Check, Checks, Math, Numbers};
use prop::Prop;
use std::time::Duration;
use terms::{Options, Outcome, Rules, Side};

fn parse<L: FromOp>(term: &terms::Sexp) -> Result<RecExpr<L>, String> {
    let text = term.to_string();
    text.parse().map_err(|e| format!("{text}: {e:?}"))
}

fn pattern<L: Language + FromOp>(term: &terms::Sexp) -> Result<Pattern<L>, String> {
    let text = term.to_string();
    text.parse().map_err(|e| format!("{text}: {e:?}"))
}

fn is_single(side: &Side) -> bool {
    side.len() == 1 && side[0].0.is_none()
}

fn multi<L: Language + FromOp>(side: &Side) -> Result<MultiPattern<L>, String> {
    let part = |(v, p): &(Option<String>, terms::Sexp)| {
        let v = v.as_ref().ok_or("a side of several patterns names the class of each")?;
        let var: Var = v.parse().map_err(|e| format!("{v}: {e}"))?;
        Ok((var, pattern(p)?.ast))
    };
    Ok(MultiPattern::new(side.iter().map(part).collect::<Result<_, String>>()?))
}

/// A rule without its conditions.
fn plain<L, A>(rule: &terms::Rule) -> Result<Rewrite<L, A>, String>
where
    L: Language + FromOp + Send + Sync + 'static,
    A: Analysis<L>,
{
    let name = rule.name.as_str();
    if is_single(&rule.lhs) && is_single(&rule.rhs) {
        Rewrite::new(name, pattern(&rule.lhs[0].1)?, pattern(&rule.rhs[0].1)?)
    } else {
        Rewrite::new(name, multi(&rule.lhs)?, multi(&rule.rhs)?)
    }
}

fn math_rules<A: Numbers>(rules: &Rules) -> Result<Vec<Rewrite<Math, A>>, String> {
    let one = |rule: &terms::Rule| {
        if rule.conds.is_empty() {
            return plain(rule);
        }
        if !is_single(&rule.lhs) || !is_single(&rule.rhs) {
            return Err(format!("{}: conditions want one pattern a side", rule.name));
        }
        let checks = rule.conds.iter().map(Check::new).collect::<Result<_, _>>()?;
        let applier = ConditionalApplier {
            condition: Checks(checks),
            applier: pattern::<Math>(&rule.rhs[0].1)?,
        };
        Rewrite::new(rule.name.as_str(), pattern(&rule.lhs[0].1)?, applier)
    };
    rules.rules.iter().map(one).collect()
}

fn prop_rules(rules: &Rules) -> Result<Vec<Rewrite<Prop, prop::Fold>>, String> {
    match rules.rules.iter().find(|r| !r.conds.is_empty()) {
        Some(r) => Err(format!("{}: no conditions are known here", r.name)),
        None => rules.rules.iter().map(plain).collect(),
    }
}

fn stop_name(reason: &StopReason) -> &'static str {
    match reason {
        StopReason::Saturated => "saturated",
        StopReason::IterationLimit(_) => "iterations",
        StopReason::NodeLimit(_) => "nodes",
        StopReason::TimeLimit(_) => "seconds",
        StopReason::Other(_) => "goal",
    }
}

/// The goal is one of the last root.
fn run<L, A>(o: &Options, rules: &[Rewrite<L, A>]) -> Result<Outcome, String>
where
    L: Language + FromOp + std::fmt::Display + 'static,
    A: Analysis<L> + Default + 'static,
{
    let starts = terms::read_terms(&o.start)?;
    let starts = starts.iter().map(parse::<L>).collect::<Result<Vec<_>, _>>()?;
    let goal = match &o.goal {
        Some(file) => Some(pattern::<L>(terms::read_terms(file)?.last().unwrap())?),
        None => None,
    };
    terms::repeated(o, || run_once(o, rules, &starts, goal.as_ref()))
}

fn run_once<L, A>(o: &Options, rules: &[Rewrite<L, A>], starts: &[RecExpr<L>],
                  goal: Option<&Pattern<L>>) -> Result<Outcome, String>
where
    L: Language + FromOp + std::fmt::Display + 'static,
    A: Analysis<L> + Default + 'static,
{
    let begin = terms::cpu_seconds();
    let mut runner: Runner<L, A> = Runner::default()
        .with_iter_limit(o.iterations)
        .with_node_limit(o.nodes)
        .with_time_limit(Duration::from_secs_f64(o.seconds));
    runner = match o.scheduler.as_str() {
        "simple" => runner.with_scheduler(SimpleScheduler),
        "backoff" => runner.with_scheduler(BackoffScheduler::default()),
        other => return Err(format!("no scheduler is named {other}")),
    };
    if o.explain {
        runner = runner.with_explanations_enabled();
    }
    for start in starts {
        runner = runner.with_expr(start);
    }
    let root = *runner.roots.last().unwrap();
    if let Some(goal) = goal.cloned() {
        runner = runner.with_hook(move |r| match goal.search_eclass(&r.egraph, root) {
            Some(_) => Err("goal".into()),
            None => Ok(()),
        });
    }
    let mut runner = runner.run(rules);
    let cpu_seconds = terms::cpu_seconds() - begin;
    let mut outcome = Outcome {
        nodes: runner.egraph.total_number_of_nodes(),
        classes: runner.egraph.number_of_classes(),
        ids: Some(runner.egraph.nodes().len()),
        memo: Some(runner.egraph.total_size()),
        iterations: runner.iterations.len(),
        cpu_seconds,
        peak_bytes: terms::peak_bytes(),
        stop: stop_name(runner.stop_reason.as_ref().unwrap()).into(),
        ..Outcome::default()
    };
    if let (true, Some(goal)) = (o.prove && o.explain, goal) {
        let reached = goal.search_eclass(&runner.egraph, root);
        if let Some(matches) = reached {
            let start = starts.last().unwrap();
            let begin = terms::cpu_seconds();
            let mut proof = runner.explain_matches(start, &goal.ast, &matches.substs[0]);
            let length = proof.make_flat_explanation().len();
            outcome.proof_seconds = Some(terms::cpu_seconds() - begin);
            outcome.proof_steps = Some(length - 1);
            proof.check_proof(rules);
        }
    }
    Ok(outcome)
}

fn main() {
    terms::main_of("peer-egg", |o| {
        let rules = terms::read_rules(&o.rules)?;
        match rules.analysis.as_deref() {
            None => run(o, &math_rules::<()>(&rules)?),
            Some("math") => run(o, &math_rules::<math::Fold>(&rules)?),
            Some("prop") => run(o, &prop_rules(&rules)?),
            Some(other) => Err(format!("no analysis is named {other}")),
        }
    });
}
