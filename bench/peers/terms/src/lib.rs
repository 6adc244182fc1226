// SPDX-License-Identifier: Apache-2.0
//! What the programs around other engines share: the rule and start files of
//! bench/terms, the options of the command line, clocks, and the line of JSON.
//!
//! A rule file: comments from `#` at the start of a line; `analysis: NAME`; and
//! one rule a line, `name: left => right if cond(?v) and cond(?v, ?w)`.  A side of
//! several patterns is written `?v = pattern and ?v = pattern`.  After ` else ` come
//! another right side and its conditions, for a match that fails those before.

use std::fmt;

#[derive(Clone, Debug)]
pub enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Sexp::Atom(s) => f.write_str(s),
            Sexp::List(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// A pattern, with the variable it is to be the class of, if one is named.
pub type Side = Vec<(Option<String>, Sexp)>;

#[derive(Clone, Debug)]
pub struct Cond {
    pub name: String,
    pub args: Vec<Sexp>,
}

#[derive(Clone, Debug)]
pub struct Right {
    pub side: Side,
    pub conds: Vec<Cond>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub lhs: Side,
    pub rights: Vec<Right>,
}

impl Rule {
    /// The right side of a rule that has but one, and no conditions.
    pub fn plain(&self) -> Option<&Side> {
        match self.rights.as_slice() {
            [right] if right.conds.is_empty() => Some(&right.side),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub analysis: Option<String>,
    pub rules: Vec<Rule>,
}

fn parse_all(text: &str) -> Result<Vec<Sexp>, String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut stack: Vec<Vec<Sexp>> = vec![vec![]];
    for token in spaced.split_whitespace() {
        match token {
            "(" => stack.push(vec![]),
            ")" => {
                let items = stack.pop().unwrap();
                match stack.last_mut() {
                    Some(top) if !items.is_empty() => top.push(Sexp::List(items)),
                    _ => return Err(format!("misplaced ')' in: {text}")),
                }
            }
            _ => stack.last_mut().unwrap().push(Sexp::Atom(token.into())),
        }
    }
    if stack.len() != 1 {
        return Err(format!("missing ')' in: {text}"));
    }
    Ok(stack.pop().unwrap())
}

fn parse_one(text: &str) -> Result<Sexp, String> {
    let mut all = parse_all(text)?;
    match all.len() {
        1 => Ok(all.pop().unwrap()),
        n => Err(format!("{n} terms where one is expected: {text}")),
    }
}

fn parse_side(text: &str) -> Result<Side, String> {
    text.split(" and ")
        .map(|part| match part.trim().split_once(" = ") {
            Some((v, p)) if v.trim().starts_with('?') => {
                Ok((Some(v.trim().to_string()), parse_one(p)?))
            }
            _ => Ok((None, parse_one(part)?)),
        })
        .collect()
}

fn parse_cond(text: &str) -> Result<Cond, String> {
    let bad = || format!("not a condition: {text}");
    let (name, rest) = text.trim().split_once('(').ok_or_else(bad)?;
    let args = rest.strip_suffix(')').ok_or_else(bad)?;
    Ok(Cond {
        name: name.trim().to_string(),
        args: parse_all(&args.replace(',', " "))?,
    })
}

fn parse_right(text: &str) -> Result<Right, String> {
    let (side, conds) = match text.split_once(" if ") {
        Some((side, conds)) => (side, conds.split(" and ").map(parse_cond).collect()),
        None => (text, Ok(vec![])),
    };
    Ok(Right {
        side: parse_side(side)?,
        conds: conds?,
    })
}

fn parse_rule(line: &str) -> Result<Rule, String> {
    let bad = || format!("not a rule: {line}");
    let (name, rest) = line.split_once(": ").ok_or_else(bad)?;
    let (lhs, rest) = rest.split_once(" => ").ok_or_else(bad)?;
    Ok(Rule {
        name: name.trim().to_string(),
        lhs: parse_side(lhs)?,
        rights: rest
            .split(" else ")
            .map(parse_right)
            .collect::<Result<_, _>>()?,
    })
}

pub fn read_file(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
}

pub fn read_rules(path: &str) -> Result<Rules, String> {
    let mut out = Rules::default();
    for line in lines(&read_file(path)?) {
        match line.strip_prefix("analysis: ") {
            Some(name) => out.analysis = Some(name.trim().to_string()),
            None => out
                .rules
                .push(parse_rule(line).map_err(|e| format!("{path}: {e}"))?),
        }
    }
    Ok(out)
}

/// The terms of a file, one or more a line.
pub fn read_terms(path: &str) -> Result<Vec<Sexp>, String> {
    let text: Vec<String> = lines(&read_file(path)?).map(String::from).collect();
    let all = parse_all(&text.join("\n")).map_err(|e| format!("{path}: {e}"))?;
    if all.is_empty() {
        return Err(format!("{path}: no term"));
    }
    Ok(all)
}

#[derive(Clone, Debug)]
pub struct Options {
    pub rules: String,
    pub start: String,
    pub scheduler: String,
    pub iterations: usize,
    pub nodes: usize,
    pub seconds: f64,
    pub goal: Option<String>,
    pub explain: bool,
    pub prove: bool,
    pub counts: bool,
    pub repeat: usize,
}

pub const USAGE: &str = "RULES START [--scheduler simple|backoff] [--iterations N] \
[--nodes N] [--seconds S] [--goal FILE] [--no-explain] [--prove] [--counts] [--repeat K]";

pub fn options() -> Result<Options, String> {
    let mut o = Options {
        rules: String::new(),
        start: String::new(),
        scheduler: "simple".into(),
        iterations: 10_000,
        nodes: usize::MAX,
        seconds: 1e6,
        goal: None,
        explain: true,
        prove: false,
        counts: false,
        repeat: 1,
    };
    let mut files = vec![];
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        let bad = |v: &str| format!("{arg}: not a number: {v}");
        match arg.as_str() {
            "--scheduler" => o.scheduler = value()?,
            "--iterations" => {
                o.iterations = value().and_then(|v| v.parse().map_err(|_| bad(&v)))?
            }
            "--nodes" => o.nodes = value().and_then(|v| v.parse().map_err(|_| bad(&v)))?,
            "--seconds" => o.seconds = value().and_then(|v| v.parse().map_err(|_| bad(&v)))?,
            "--repeat" => o.repeat = value().and_then(|v| v.parse().map_err(|_| bad(&v)))?,
            "--goal" => o.goal = Some(value()?),
            "--no-explain" => o.explain = false,
            "--prove" => o.prove = true,
            "--counts" => o.counts = true,
            _ if arg.starts_with("--") => return Err(format!("unknown option {arg}")),
            _ => files.push(arg),
        }
    }
    if files.len() != 2 || o.repeat == 0 {
        return Err("two files are expected".into());
    }
    o.start = files.pop().unwrap();
    o.rules = files.pop().unwrap();
    Ok(o)
}

/// What a run came to.  What an engine cannot say is none: null in the JSON.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub nodes: usize,
    pub classes: usize,
    pub ids: Option<usize>,
    pub memo: Option<usize>,
    pub iterations: usize,
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
    pub stop: String,
    /// Nodes and classes after each iteration, where they were asked for.
    pub counts: Vec<(usize, usize)>,
    pub proof_seconds: Option<f64>,
    pub proof_steps: Option<usize>,
}

impl Outcome {
    pub fn json(&self) -> String {
        fn or_null<T: fmt::Display>(v: Option<T>) -> String {
            v.map_or("null".into(), |v| v.to_string())
        }
        let pairs: Vec<String> = self
            .counts
            .iter()
            .map(|(n, c)| format!("[{n},{c}]"))
            .collect();
        format!(
            "{{\"nodes\":{},\"classes\":{},\"ids\":{},\"memo\":{},\"iterations\":{},\
             \"cpu_seconds\":{},\"peak_bytes\":{},\"stop\":\"{}\",\
             \"counts\":[{}],\"proof_seconds\":{},\"proof_steps\":{}}}",
            self.nodes,
            self.classes,
            or_null(self.ids),
            or_null(self.memo),
            self.iterations,
            self.cpu_seconds,
            self.peak_bytes,
            self.stop,
            pairs.join(","),
            or_null(self.proof_seconds),
            or_null(self.proof_steps)
        )
    }
}

/// Runs `run` as often as asked; the counts of the last, the median times.
pub fn repeated(
    o: &Options,
    mut run: impl FnMut() -> Result<Outcome, String>,
) -> Result<Outcome, String> {
    let all = (0..o.repeat)
        .map(|_| run())
        .collect::<Result<Vec<_>, _>>()?;
    let median = |mut v: Vec<f64>| {
        v.sort_by(f64::total_cmp);
        v.get(v.len() / 2).copied()
    };
    let mut out = all.last().unwrap().clone();
    out.cpu_seconds = median(all.iter().map(|r| r.cpu_seconds).collect()).unwrap();
    out.proof_seconds = median(all.iter().filter_map(|r| r.proof_seconds).collect());
    Ok(out)
}

/// The body of a program: prints the outcome, or complains and exits.
pub fn main_of(name: &str, run: impl FnOnce(&Options) -> Result<Outcome, String>) {
    let options = options().unwrap_or_else(|e| {
        eprintln!("{name}: {e}\nusage: {name} {USAGE}");
        std::process::exit(64)
    });
    match run(&options) {
        Ok(outcome) => println!("{}", outcome.json()),
        Err(e) => {
            eprintln!("{name}: {e}");
            std::process::exit(65)
        }
    }
}

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// CPU seconds of this process so far (Linux, 64 bits).
pub fn cpu_seconds() -> f64 {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    let mut t = Timespec {
        seconds: 0,
        nanoseconds: 0,
    };
    // The struct is that of the C library on 64-bit Linux.
    let failed = unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    assert_eq!(failed, 0);
    t.seconds as f64 + t.nanoseconds as f64 * 1e-9
}

/// Most bytes this process had in memory so far.
pub fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|l| l.strip_prefix("VmHWM:"))
        .and_then(|l| l.trim().strip_suffix(" kB"))
        .and_then(|n| n.trim().parse::<u64>().ok())
        .map_or(0, |kib| kib * 1024)
}
