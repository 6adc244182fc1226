// SPDX-License-Identifier: Apache-2.0
//! Runs a rule file from a start file on egg and prints what came of it as one
//! line of JSON; see bench/terms/README.md.

mod lambda;
mod math;
mod prop;
mod words;

use egg::*;
use std::time::Duration;
use terms::{Options, Outcome, Rules, Side};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A language may have symbols that no term of it has yet, one for each class.
trait Fresh: Sized {
    fn fresh(_: Id) -> Option<Self> {
        None
    }
}

impl Fresh for math::Math {}
impl Fresh for prop::Prop {}
impl Fresh for words::Lattice {}
impl Fresh for words::Bits {}

/// A condition of a rule.
trait Check<L: Language, A: Analysis<L>>: Sized {
    fn new(name: &str, args: &[Pattern<L>]) -> Option<Self>;
    fn holds(&self, egraph: &mut EGraph<L, A>, class: Id, subst: &Subst) -> bool;
}

/// No condition is known.
enum Never {}

impl<L: Language, A: Analysis<L>> Check<L, A> for Never {
    fn new(_: &str, _: &[Pattern<L>]) -> Option<Self> {
        None
    }
    fn holds(&self, _: &mut EGraph<L, A>, _: Id, _: &Subst) -> bool {
        match *self {}
    }
}

fn as_var<L: Language>(pattern: &Pattern<L>) -> Option<Var> {
    match pattern.ast.as_ref() {
        [ENodeOrVar::Var(v)] => Some(*v),
        _ => None,
    }
}

struct Checks<C>(Vec<C>);

impl<L: Language, A: Analysis<L>, C: Check<L, A>> Condition<L, A> for Checks<C> {
    fn check(&self, egraph: &mut EGraph<L, A>, class: Id, subst: &Subst) -> bool {
        self.0.iter().all(|c| c.holds(egraph, class, subst))
    }
}

/// Right sides, of which a match takes the first whose conditions hold.
struct Rights<L: Language, C>(Vec<Right<L, C>>);

struct Right<L: Language, C> {
    checks: Checks<C>,
    fresh: Vec<Var>, // not bound on the left: symbols of their own
    side: Pattern<L>,
}

impl<L, A, C> Applier<L, A> for Rights<L, C>
where
    L: Language + Fresh,
    A: Analysis<L>,
    C: Check<L, A>,
{
    fn apply_one(
        &self,
        egraph: &mut EGraph<L, A>,
        class: Id,
        subst: &Subst,
        left: Option<&PatternAst<L>>,
        rule: Symbol,
    ) -> Vec<Id> {
        for right in &self.0 {
            if right.checks.check(egraph, class, subst) {
                let mut subst = subst.clone();
                for v in &right.fresh {
                    let symbol = L::fresh(class).expect("looked at when rules are read");
                    subst.insert(*v, egraph.add(symbol));
                }
                return right.side.apply_one(egraph, class, &subst, left, rule);
            }
        }
        vec![]
    }
}

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
        let v = v
            .as_ref()
            .ok_or("a side of several patterns names the class of each")?;
        let var: Var = v.parse().map_err(|e| format!("{v}: {e}"))?;
        Ok((var, pattern(p)?.ast))
    };
    Ok(MultiPattern::new(
        side.iter().map(part).collect::<Result<_, String>>()?,
    ))
}

fn checks<L, A, C>(conds: &[terms::Cond]) -> Result<Checks<C>, String>
where
    L: Language + FromOp,
    A: Analysis<L>,
    C: Check<L, A>,
{
    let one = |cond: &terms::Cond| {
        let args = cond
            .args
            .iter()
            .map(pattern)
            .collect::<Result<Vec<_>, _>>()?;
        C::new(&cond.name, &args)
            .ok_or_else(|| format!("unknown condition {}/{}", cond.name, args.len()))
    };
    Ok(Checks(conds.iter().map(one).collect::<Result<_, _>>()?))
}

fn rewrite<L, A, C>(rule: &terms::Rule) -> Result<Rewrite<L, A>, String>
where
    L: Language + FromOp + Fresh + Send + Sync + 'static,
    A: Analysis<L> + 'static,
    C: Check<L, A> + Send + Sync + 'static,
{
    let name = rule.name.as_str();
    let single = is_single(&rule.lhs) && rule.rights.iter().all(|r| is_single(&r.side));
    if !single {
        let side = rule
            .plain()
            .ok_or(format!("{name}: conditions want one pattern a side"))?;
        return Rewrite::new(name, multi(&rule.lhs)?, multi(side)?);
    }
    let lhs = pattern::<L>(&rule.lhs[0].1)?;
    let mut rights = vec![];
    for right in &rule.rights {
        let side = pattern::<L>(&right.side[0].1)?;
        let bound = Searcher::<L, A>::vars(&lhs);
        let mut fresh = Applier::<L, A>::vars(&side);
        fresh.retain(|v| !bound.contains(v));
        if !fresh.is_empty() && L::fresh(Id::from(0)).is_none() {
            return Err(format!("{name}: {} is not bound on the left", fresh[0]));
        }
        rights.push(Right {
            checks: checks::<L, A, C>(&right.conds)?,
            fresh,
            side,
        });
    }
    if rights.len() == 1 && rights[0].fresh.is_empty() {
        // What egg itself makes of such a rule.
        let Right {
            checks: condition,
            side: applier,
            ..
        } = rights.pop().unwrap();
        return match condition.0.is_empty() {
            true => Rewrite::new(name, lhs, applier),
            false => Rewrite::new(name, lhs, ConditionalApplier { condition, applier }),
        };
    }
    Rewrite::new(name, lhs, Rights(rights))
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
fn run<L, A, C>(o: &Options, rules: &Rules) -> Result<Outcome, String>
where
    L: Language + FromOp + Fresh + std::fmt::Display + Send + Sync + 'static,
    A: Analysis<L> + Default + 'static,
    C: Check<L, A> + Send + Sync + 'static,
{
    let rules = rules
        .rules
        .iter()
        .map(rewrite::<L, A, C>)
        .collect::<Result<Vec<_>, _>>()?;
    let starts = terms::read_terms(&o.start)?;
    let starts = starts
        .iter()
        .map(parse::<L>)
        .collect::<Result<Vec<_>, _>>()?;
    let goal = match &o.goal {
        Some(file) => Some(pattern::<L>(terms::read_terms(file)?.last().unwrap())?),
        None => None,
    };
    if o.counts {
        return run_once::<L, A, Counts>(o, &rules, &starts, goal.as_ref());
    }
    terms::repeated(o, || {
        run_once::<L, A, ()>(o, &rules, &starts, goal.as_ref())
    })
}

/// Nodes and classes after an iteration.
struct Counts(Option<(usize, usize)>);

impl<L: Language, A: Analysis<L>> IterationData<L, A> for Counts {
    fn make(runner: &Runner<L, A, Self>) -> Self {
        let egraph = &runner.egraph;
        Counts(Some((
            egraph.total_number_of_nodes(),
            egraph.number_of_classes(),
        )))
    }
}

/// What is known after an iteration, which costs nothing where it is not asked for.
trait Known {
    fn known(&self) -> Option<(usize, usize)>;
}

impl Known for Counts {
    fn known(&self) -> Option<(usize, usize)> {
        self.0
    }
}

impl Known for () {
    fn known(&self) -> Option<(usize, usize)> {
        None
    }
}

fn run_once<L, A, D>(
    o: &Options,
    rules: &[Rewrite<L, A>],
    starts: &[RecExpr<L>],
    goal: Option<&Pattern<L>>,
) -> Result<Outcome, String>
where
    L: Language + FromOp + std::fmt::Display + 'static,
    A: Analysis<L> + Default + 'static,
    D: IterationData<L, A> + Known,
{
    let begin = terms::cpu_seconds();
    let mut runner: Runner<L, A, D> = Runner::new(A::default())
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
        counts: runner
            .iterations
            .iter()
            .filter_map(|i| i.data.known())
            .collect(),
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

/// Has the language all operators of the left sides?
fn fits<L: Language + FromOp>(rules: &Rules) -> bool {
    let mut sides = rules.rules.iter().flat_map(|r| &r.lhs);
    sides.all(|(_, term)| pattern::<L>(term).is_ok())
}

fn main() {
    terms::main_of("peer-egg", |o| {
        let rules = terms::read_rules(&o.rules)?;
        match rules.analysis.as_deref() {
            None if fits::<math::Math>(&rules) => run::<math::Math, (), math::Check>(o, &rules),
            None if fits::<words::Lattice>(&rules) => run::<words::Lattice, (), Never>(o, &rules),
            None => run::<words::Bits, (), Never>(o, &rules),
            Some("math") => run::<math::Math, math::Fold, math::Check>(o, &rules),
            Some("prop") => run::<prop::Prop, prop::Fold, Never>(o, &rules),
            Some("lambda") => run::<lambda::Lambda, lambda::Fold, lambda::Check>(o, &rules),
            Some(other) => Err(format!("no analysis is named {other}")),
        }
    });
}
