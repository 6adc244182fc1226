// SPDX-License-Identifier: Apache-2.0
//! Runs a rule file without conditions from a start file on egglog, on one
//! thread, and prints what came of it as one line of JSON; see
//! bench/terms/README.md.  The engine knows no limit but that of iterations.

use egglog::EGraph;
use egglog_numeric_id::NumericId;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use terms::{Options, Outcome, Sexp};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Operators (name and number of arguments) and what each is called.
type Ops = BTreeMap<(String, usize), String>;

/// A term in egglog's notation.  `ops` learns the operators.
fn translate(term: &Sexp, ops: &mut Ops) -> Result<String, String> {
    match term {
        Sexp::Atom(s) if s.starts_with('?') => Ok(s[1..].to_string()),
        Sexp::Atom(s) => Ok(match s.parse::<i64>() {
            Ok(n) => format!("(Const {n})"),
            Err(_) => format!("(Var {s:?})"),
        }),
        Sexp::List(items) => {
            let [Sexp::Atom(op), args @ ..] = items.as_slice() else {
                return Err(format!("{term}: an operator is expected"));
            };
            let next = format!("Op{}", ops.len());
            let name = ops.entry((op.clone(), args.len())).or_insert(next).clone();
            let mut out = format!("({name}");
            for arg in args {
                write!(out, " {}", translate(arg, ops)?).unwrap();
            }
            out.push(')');
            Ok(out)
        }
    }
}

fn datatype(ops: &Ops) -> String {
    let mut out = String::from("(datatype Term (Const i64) (Var String)");
    for ((_, args), name) in ops {
        write!(out, " ({name}{})", " Term".repeat(*args)).unwrap();
    }
    out.push(')');
    out
}

struct Texts {
    rules: String,
    starts: String,
    tables: Vec<String>,
}

fn texts(o: &Options) -> Result<Texts, String> {
    let rules = terms::read_rules(&o.rules)?;
    if let Some(name) = rules.analysis {
        return Err(format!("analysis {name} is not translated"));
    }
    let mut ops = Ops::new();
    let mut text = String::new();
    for r in &rules.rules {
        let (Some([(None, rhs)]), [(None, lhs)]) = (r.plain().map(Vec::as_slice), &r.lhs[..])
        else {
            return Err(format!("{}: only plain rules are translated", r.name));
        };
        let lhs = translate(lhs, &mut ops)?;
        let rhs = translate(rhs, &mut ops)?;
        writeln!(text, "(rewrite {lhs} {rhs})").unwrap();
    }
    let mut starts = String::new();
    for term in terms::read_terms(&o.start)? {
        writeln!(starts, "{}", translate(&term, &mut ops)?).unwrap();
    }
    let mut tables: Vec<String> = ops.values().cloned().collect();
    tables.extend(["Const".into(), "Var".into()]);
    Ok(Texts {
        rules: format!("{}\n{text}", datatype(&ops)),
        starts,
        tables,
    })
}

fn number_of_classes(egraph: &EGraph, tables: &[String]) -> Result<usize, String> {
    let mut seen: HashMap<u32, u64> = HashMap::new();
    for table in tables {
        egraph
            .constructor_enodes(table, |node| {
                let class = node.eclass.rep();
                *seen.entry(class / 64).or_default() |= 1 << (class % 64);
            })
            .map_err(|e| e.to_string())?;
    }
    Ok(seen.values().map(|bits| bits.count_ones() as usize).sum())
}

fn run(egraph: &mut EGraph, text: &str) -> Result<(), String> {
    let done = egraph.parse_and_run_program(None, text);
    done.map(drop).map_err(|e| e.to_string())
}

fn run_once(o: &Options, texts: &Texts) -> Result<Outcome, String> {
    let mut egraph = EGraph::new(1);
    run(&mut egraph, &texts.rules)?;
    let starts = egraph
        .parse_program(None, &texts.starts)
        .map_err(|e| e.to_string())?;
    let nodes = |egraph: &EGraph| texts.tables.iter().map(|t| egraph.get_size(t)).sum();
    let mut counts = vec![];
    let begin = terms::cpu_seconds();
    egraph.run_program(starts).map_err(|e| e.to_string())?;
    if o.counts {
        for _ in 0..o.iterations {
            run(&mut egraph, "(run 1)")?;
            counts.push((nodes(&egraph), number_of_classes(&egraph, &texts.tables)?));
        }
    } else {
        run(&mut egraph, &format!("(run {})", o.iterations))?;
    }
    let cpu_seconds = terms::cpu_seconds() - begin;
    let peak_bytes = terms::peak_bytes();
    Ok(Outcome {
        nodes: nodes(&egraph),
        classes: number_of_classes(&egraph, &texts.tables)?,
        iterations: o.iterations,
        cpu_seconds,
        peak_bytes,
        counts,
        stop: "iterations".into(),
        ..Outcome::default()
    })
}

fn main() {
    terms::main_of("peer-egglog", |o| {
        if o.explain || o.goal.is_some() || o.scheduler != "simple" || o.nodes != usize::MAX {
            return Err("--no-explain and --iterations alone are known here".into());
        }
        let texts = texts(o)?;
        terms::repeated(o, || run_once(o, &texts))
    });
}
