// SPDX-License-Identifier: Apache-2.0
// A rule on small arrays: which element of a side comes from which elements of the operands.
// explorer/pages/picture.c says what the data are.  The upper half computes and knows no page;
// tests/explorer/picture.js compares it with the interpreter of the program.
"use strict";
(() => {
  // ---- integers

  const floorDiv = (a, b) => Math.floor(a / b);
  const OPERATORS = {
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, neg: (a) => -a,
    div: floorDiv, mod: (a, b) => a - b * floorDiv(a, b), cdiv: (a, b) => Math.ceil(a / b),
    min: Math.min, max: Math.max, abs: Math.abs,
    "<=": (a, b) => a <= b, "<": (a, b) => a < b, "==": (a, b) => a === b, "!=": (a, b) => a !== b,
    and: (a, b) => a && b, or: (a, b) => a || b, not: (a) => !a,
  };

  class Undefined extends Error {}
  const refuse = (why) => { throw new Undefined(why); };

  // The value of an expression or a condition; a division by zero has none.
  const valueOf = (expr, maps) => {
    if (typeof expr === "number") return expr;
    if (expr[0] === "map") return maps[expr[1]];
    const a = valueOf(expr[1], maps);
    if (expr.length === 2) return OPERATORS[expr[0]](a);
    const b = valueOf(expr[2], maps);
    if (b === 0 && ["div", "mod", "cdiv"].includes(expr[0])) refuse("a division by zero");
    const value = OPERATORS[expr[0]](a, b);
    return value === 0 ? 0 : value; // no negative zero
  };

  // ---- elements and arrays.  An array has ascending classes and its elements row by row.

  const product = (list) => list.reduce((a, b) => a * b, 1);
  const indexOf = (array, place) => {
    const index = new Array(array.sizes.length);
    for (let k = array.sizes.length; k-- > 0; place = Math.floor(place / array.sizes[k]))
      index[k] = place % array.sizes[k];
    return index;
  };
  const placeOf = (array, index) => index.reduce((place, i, k) => place * array.sizes[k] + i, 0);
  const make = (classes, sizes, element) => {
    const order = classes.map((c, k) => k).sort((a, b) => classes[a] - classes[b]);
    const array = { classes: order.map((k) => classes[k]), sizes: order.map((k) => sizes[k]) };
    if (array.sizes.some((n) => n < 0)) refuse("a size is negative");
    if (product(array.sizes) > 400) refuse("an array has too many elements for a picture");
    array.at = Array.from({ length: product(array.sizes) }, (_, place) => {
      const index = indexOf(array, place);
      return element((c) => index[array.classes.indexOf(c)]);
    });
    return array;
  };
  // The element of an array whose index along class c is at(c).
  const pick = (array, at) => array.at[placeOf(array, array.classes.map(at))];
  const sizeIn = (array, c) => array.sizes[array.classes.indexOf(c)];

  // ---- nodes

  const source = (name, tensor, index, place) => ({ name, tensor, index, place, key: name + "[" + index + "]" });
  const combine = (op, args) => ({ op, args, key: op + "(" + args.map((a) => a.key).join(", ") + ")" });

  const evaluator = (picture, maps, active) => {
    const value = (expr) => valueOf(expr, maps);
    const attribute = (attributes, name, c, usual) =>
      attributes[name] && attributes[name][c] !== undefined ? value(attributes[name][c]) : usual;
    const sized = (list) => list.filter(([c]) => active[c]).map(([c, expr]) => [c, value(expr)]);
    const done = new Map();
    const arrayOf = (k) => {
      if (!done.has(k)) done.set(k, NODES[picture.nodes[k][0]](...picture.nodes[k].slice(1)));
      return done.get(k);
    };
    const slice = ([arg], attributes) => {
      const of = arrayOf(arg);
      const part = of.classes.map((c) => {
        const n = sizeIn(of, c), start = attribute(attributes, "start", c, 0);
        const limit = attribute(attributes, "limit", c, n), stride = attribute(attributes, "stride", c, 1);
        if (!(0 <= start && start <= limit && limit <= n && stride >= 1))
          refuse(`slice: ${start}:${limit}:${stride} is no part of 0:${n} along ${picture.classes[c].name}`);
        return { start, stride, size: Math.ceil((limit - start) / stride) };
      });
      return make(of.classes, part.map((p) => p.size), (at) => pick(of, (c) => {
        const p = part[of.classes.indexOf(c)];
        return p.start + p.stride * at(c);
      }));
    };
    const pad = ([arg, fill], attributes) => {
      const of = arrayOf(arg), filling = arrayOf(fill).at[0];
      const part = of.classes.map((c) => {
        const n = sizeIn(of, c), low = attribute(attributes, "low", c, 0);
        const high = attribute(attributes, "high", c, 0), interior = attribute(attributes, "interior", c, 0);
        const size = low + high + n + Math.max(n - 1, 0) * interior;
        if (interior < 0 || size < 0)
          refuse(`pad: ${low}, ${high}, ${interior} leave no size along ${picture.classes[c].name}`);
        return { n, low, step: interior + 1, size };
      });
      return make(of.classes, part.map((p) => p.size), (at) => {
        const from = of.classes.map((c, k) => (at(c) - part[k].low) / part[k].step);
        const inside = from.every((i, k) => Number.isInteger(i) && 0 <= i && i < part[k].n);
        return inside ? pick(of, (c) => from[of.classes.indexOf(c)]) : filling;
      });
    };
    const broadcast = ([arg], attributes) => {
      const of = arrayOf(arg);
      const more = sized(Object.entries(attributes.size).map(([c, expr]) => [Number(c), expr]));
      return make(of.classes.concat(more.map(([c]) => c)), of.sizes.concat(more.map(([, n]) => n)),
                  (at) => pick(of, at));
    };
    const reverse = ([arg], classes) => {
      const of = arrayOf(arg);
      return make(of.classes, of.sizes,
                  (at) => pick(of, (c) => (classes.includes(c) ? sizeIn(of, c) - 1 - at(c) : at(c))));
    };
    const concatenate = (args, [axis]) => {
      const parts = args.map(arrayOf), first = parts[0];
      for (const part of parts)
        if (part.classes.some((c) => c !== axis && sizeIn(part, c) !== sizeIn(first, c)))
          refuse("concat: the parts have other sizes");
      const total = parts.reduce((n, part) => n + sizeIn(part, axis), 0);
      return make(first.classes, first.sizes.map((n, k) => (first.classes[k] === axis ? total : n)), (at) => {
        let place = at(axis);
        const part = parts.find((p) => place < sizeIn(p, axis) || ((place -= sizeIn(p, axis)), false));
        return pick(part, (c) => (c === axis ? place : at(c)));
      });
    };
    const relabel = ([arg], pairs) => {
      const of = arrayOf(arg), to = new Map(pairs), back = new Map(pairs.map(([a, b]) => [b, a]));
      return make(of.classes.map((c) => (to.has(c) ? to.get(c) : c)), of.sizes,
                  (at) => pick(of, (c) => at(to.has(c) ? to.get(c) : c)));
    };
    const reshape = ([arg], groups) => {
      const of = arrayOf(arg);
      const list = groups.map(([from, to]) => {
        const before = from.filter((c) => active[c]), behind = sized(to);
        const a = { classes: before, sizes: before.map((c) => sizeIn(of, c)) };
        const b = { classes: behind.map(([c]) => c), sizes: behind.map(([, n]) => n) };
        if (product(a.sizes) !== product(b.sizes) || b.sizes.some((n) => n < 0))
          refuse(`reshape: ${a.sizes.join("×")} elements are not ${b.sizes.join("×")}`);
        return { a, b };
      });
      const kept = of.classes.filter((c) => !list.some((g) => g.a.classes.includes(c)));
      return make(kept.concat(...list.map((g) => g.b.classes)),
                  kept.map((c) => sizeIn(of, c)).concat(...list.map((g) => g.b.sizes)), (at) =>
        pick(of, (c) => {
          const group = list.find((g) => g.a.classes.includes(c));
          if (!group) return at(c);
          const place = placeOf(group.b, group.b.classes.map(at));
          return indexOf(group.a, place)[group.a.classes.indexOf(c)];
        }));
    };
    const reduce = ([arg], classes, reducer) => {
      const of = arrayOf(arg), over = classes.filter((c) => active[c]);
      const kept = of.classes.filter((c) => !over.includes(c));
      if (over.length === 0) return of;
      const inner = { sizes: over.map((c) => sizeIn(of, c)) };
      return make(kept, kept.map((c) => sizeIn(of, c)), (at) =>
        combine(reducer + " over", Array.from({ length: product(inner.sizes) }, (_, place) => {
          const index = indexOf(inner, place);
          return pick(of, (c) => (over.includes(c) ? index[over.indexOf(c)] : at(c)));
        })));
    };
    const NODES = {
      tensor: (k) => {
        const sizes = sized(picture.tensors[k].sizes);
        let place = 0;
        return make(sizes.map(([c]) => c), sizes.map(([, n]) => n), (at) => {
          const index = sizes.map(([c]) => c).sort((a, b) => a - b).map(at);
          return source(picture.tensors[k].name, k, index, place++);
        });
      },
      scalar: (k) => make([], [], () => ({ scalar: k, key: picture.scalars[k] })),
      literal: (text) => make([], [], () => ({ literal: text, key: text })),
      splat: ([arg], sizes) => {
        const of = arrayOf(arg), list = sized(sizes);
        return make(list.map(([c]) => c), list.map(([, n]) => n), () => of.at[0]);
      },
      map: (op, args) => {
        const of = args.map(arrayOf);
        if (of.some((a) => a.classes.join() !== of[0].classes.join() || a.sizes.join() !== of[0].sizes.join()))
          refuse(`${op}: the operands have other sizes`);
        return make(of[0].classes, of[0].sizes, (at) => combine(op, of.map((a) => pick(a, at))));
      },
      slice, pad, broadcast_in_dim: broadcast, reverse, concatenate, relabel, reshape, reduce,
    };
    return arrayOf;
  };

  const attempt = (what) => {
    try {
      return { array: what() };
    } catch (error) {
      if (error instanceof Undefined) return { why: error.message };
      throw error;
    }
  };

  // Both sides where the maps have these values and the active classes one axis, the others none.
  // `why` says what does not hold; `right.why` that the right side is not well-defined.
  const evaluate = (picture, given, active) => {
    const maps = given.slice();
    for (let m = 0; m < maps.length; m++) {
      const map = picture.maps[m];
      if (map.def === null || !active[map.cls]) continue;
      const value = attempt(() => valueOf(map.def, maps));
      if (value.why) return { why: `${map.name}: ${value.why}` };
      maps[m] = value.array;
    }
    for (const where of picture.wheres) {
      if (where.cls < 0 || !active[where.cls]) continue;
      const holds = attempt(() => valueOf(where.cond, maps));
      if (!holds.array) return { why: `the precondition ${where.text} does not hold` };
    }
    const arrayOf = evaluator(picture, maps, active);
    const operands = picture.tensors.map((_, k) => picture.nodes.findIndex((n) => n && n[0] === "tensor" && n[1] === k));
    const left = attempt(() => arrayOf(picture.lhs));
    if (left.why) return { why: `the left side is not well-defined: ${left.why}` };
    const shown = attempt(() => operands.map((k) => (k < 0 ? null : arrayOf(k))));
    if (shown.why) return { why: shown.why };
    return { maps, operands: shown.array, left: left.array, right: attempt(() => arrayOf(picture.rhs)) };
  };

  // The classes that have an axis, so that no array has more than two; null: there are none.
  const chooseActive = (picture) => {
    const active = picture.classes.map(() => true);
    const wide = () => {
      const ranks = picture.tensors.map((t) => t.sizes.filter(([c]) => active[c]).length);
      return Math.max(0, ...ranks) > 2 || active.filter(Boolean).length > 3;
    };
    for (let c = picture.classes.length; c-- > 0 && wide();) {
      const family = picture.classes.map((other, k) => k).filter((k) => picture.classes[k].like === picture.classes[c].like);
      if (family.every((k) => !picture.classes[k].single && picture.classes[k].least === 0 && !picture.classes[k].joined))
        for (const k of family) active[k] = false;
    }
    return wide() || !active.some(Boolean) ? null : active;
  };

  // What a map is used for decides its range.
  const rangeOf = (picture, m) => {
    const bare = (expr) => Array.isArray(expr) && expr[0] === "map" && expr[1] === m;
    for (const tensor of picture.tensors)
      if (tensor.sizes.some(([, expr]) => bare(expr))) return { use: "size", low: 0, high: 8, usual: [3, 4, 5, 6] };
    for (const node of picture.nodes) {
      const attributes = node && node[2] && !Array.isArray(node[2]) ? node[2] : {};
      for (const [name, of] of Object.entries(attributes))
        if (typeof of === "object" && Object.values(of).some(bare)) return {
          start: { use: name, low: 0, high: 8, usual: [0, 1, 2] }, limit: { use: name, low: 0, high: 8, usual: [3, 4, 5] },
          stride: { use: name, low: 1, high: 3, usual: [1, 2] }, low: { use: name, low: -2, high: 4, usual: [0, 1, 2] },
          high: { use: name, low: -2, high: 4, usual: [0, 1, 2] }, interior: { use: name, low: 0, high: 2, usual: [0, 1] },
          size: { use: name, low: 0, high: 8, usual: [2, 3, 4] },
        }[name] || { use: "", low: 0, high: 8, usual: [1, 2, 3] };
    }
    return { use: "", low: 0, high: 8, usual: [1, 2, 3] };
  };

  // Values at which the rule can be drawn, with something to see; null: none was found.
  const startValues = (picture, active, ranges) => {
    let seed = 7, best = null, valid = 0;
    const next = (n) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 16) % n;
    };
    for (let tries = 0; tries < 6000 && valid < 40; tries++) {
      const values = ranges.map((range) => tries % 3 < 2 ? range.usual[next(range.usual.length)]
        : range.low + next(range.high - range.low + 1));
      const at = evaluate(picture, values, active);
      if (at.why || !drawable(at)) continue;
      valid++;
      const kinds = new Set(at.left.at.map((e) => e.key)).size;
      const busy = values.filter((v, m) => ["start", "low", "high", "interior"].includes(ranges[m].use) ? v > 0 : ranges[m].use === "stride" && v > 1).length;
      const score = Math.min(kinds, 8) + 1.5 * busy - Math.max(0, at.left.at.length - 16) / 4 + (at.right.why ? 0 : 4);
      if (!best || score > best.score) best = { values, score };
    }
    return best && best.values;
  };
  const drawable = (at) => [at.left, at.right.array, ...at.operands].every((a) =>
    !a || (a.classes.length <= 2 && a.sizes.every((n) => n <= 14) && a.at.length <= 100));

  if (typeof module !== "undefined") {
    module.exports = { evaluate, chooseActive, rangeOf, startValues };
    return;
  }

  // ---- the page

  // Draws the picture of a rule's page, or of an answer, which comes later.
  const show = () => {
    const section = document.getElementById("picture");
    if (!section || section.childElementCount) return;
    const picture = JSON.parse(section.dataset.picture), active = chooseActive(picture);
    const ranges = picture.maps.map((_, m) => rangeOf(picture, m));
    const values = active && startValues(picture, active, ranges);
    if (!values) {
      section.remove();
      return;
    }
    const element = (name, text, className) => {
      const made = document.createElement(name);
      if (text) made.textContent = text;
      if (className) made.className = className;
      return made;
    };
    const DIGITS = "₀₁₂₃₄₅₆₇₈₉";
    const short = (one) => one.tensor !== undefined
      ? one.name + one.index.map((i) => [...String(i)].map((d) => DIGITS[d]).join("")).join("‚")
      : one.scalar !== undefined || one.literal !== undefined ? one.key : one.op === "negate" ? "−" + short(one.args[0]) : "…";
    const sources = (one) => (one.args ? one.args.flatMap(sources) : one.tensor !== undefined ? [one] : []);
    const colour = (one) => {
      const from = [...new Set(sources(one).map((s) => s.tensor))];
      return from.length === 1 ? "from-" + (from[0] % 4) : from.length ? "from-many" : "from-none";
    };
    const words = (one) => (one.key.length > 90 ? one.key.slice(0, 88) + " …" : one.key);

    let state = evaluate(picture, values, active), chosen = 0;
    const controls = element("div", "", "controls"), board = element("div", "", "arrays");
    const message = element("p", "", "picture-message"), steps = element("div", "", "steps");
    message.setAttribute("role", "status");

    const drawArray = (name, array, side) => {
      const figure = element("figure", "", "array"), table = element("table");
      const axes = array.classes.map((c) => picture.classes[c].name);
      figure.tabIndex = 0; // an array that is wider than the page scrolls
      const caption = element("figcaption", name);
      caption.append(element("span", array.sizes.length ? ` ${axes.map((a, k) => `${a}: ${array.sizes[k]}`).join(", ")}` : "", "quiet"));
      figure.append(caption);
      if (array.at.length === 0) figure.append(element("p", "empty", "quiet"));
      const columns = array.sizes.length ? array.sizes[array.sizes.length - 1] : 1;
      for (let at = 0; at < array.at.length; at += columns) {
        const row = element("tr");
        for (let place = at; place < at + columns; place++) {
          const one = array.at[place], cell = element("td", short(one), colour(one));
          cell.dataset.key = one.key;
          if (side) {
            cell.dataset.place = place;
            cell.title = `${name}[${indexOf(array, place)}] = ${words(one)}`;
            cell.addEventListener("click", () => choose(place));
          }
          row.append(cell);
        }
        table.append(row);
      }
      if (array.at.length) figure.append(table);
      return figure;
    };

    const choose = (place) => {
      const count = state.left.at.length;
      chosen = count ? (place + count) % count : 0;
      const one = state.left.at[chosen], other = state.right.array && state.right.array.at[chosen];
      const from = new Set([one, other].filter(Boolean).flatMap(sources).map((s) => s.key));
      for (const cell of board.querySelectorAll("td")) {
        const side = cell.dataset.place !== undefined;
        cell.classList.toggle("chosen", side && Number(cell.dataset.place) === chosen);
        if (cell.classList.contains("chosen")) {
          const figure = cell.closest("figure"); // of an array that is wider than the page
          figure.scrollLeft = cell.offsetLeft - figure.offsetLeft - figure.clientWidth / 2;
        }
        cell.classList.toggle("source", !side && from.has(cell.dataset.key));
      }
      const index = one ? indexOf(state.left, chosen).join(", ") : "";
      message.textContent = !one ? "Both sides are empty." :
        `left[${index}] = ${words(one)}` + (other ? `;  right[${index}] = ${words(other)}` : "");
      if (state.right.why) message.textContent += `;  the right side is not well-defined: ${state.right.why}`;
    };

    const draw = () => {
      board.replaceChildren();
      picture.tensors.forEach((tensor, k) => {
        if (state.operands[k]) board.append(drawArray(tensor.name, state.operands[k], false));
      });
      board.append(drawArray("left", state.left, true));
      if (state.right.array) board.append(drawArray("right", state.right.array, true));
      board.classList.remove("stale");
      choose(Math.min(chosen, Math.max(0, state.left.at.length - 1)));
    };

    const change = () => {
      const next = evaluate(picture, values, active);
      if (next.why || !drawable(next)) {
        board.classList.add("stale");
        message.textContent = next.why ? `Nothing to draw: ${next.why}.` : "Too large to draw.";
        return;
      }
      state = next;
      draw();
    };

    picture.maps.forEach((map, m) => {
      if (map.def !== null || !active[map.cls]) return;
      const label = element("label"), slider = element("input"), shown = element("output", String(values[m]));
      Object.assign(slider, { type: "range", min: ranges[m].low, max: Math.max(ranges[m].high, values[m]), value: values[m] });
      slider.addEventListener("input", () => {
        values[m] = Number(slider.value);
        shown.textContent = slider.value;
        change();
      });
      label.append(element("span", `${map.name}`, "name"), element("span", ranges[m].use ? ` ${ranges[m].use} along ${picture.classes[map.cls].name}` : ` on ${picture.classes[map.cls].name}`, "quiet"), " ", shown, slider);
      controls.append(label);
    });
    const button = (text, by) => {
      const made = element("button", text, "plain");
      made.type = "button";
      made.addEventListener("click", () => choose(chosen + by));
      steps.append(made);
    };
    button("← Previous element", -1);
    button("Next element →", 1);
    const none = picture.classes.filter((_, c) => !active[c]).map((c) => c.name);
    const elements = picture.wheres.filter((w) => w.cls < 0).map((w) => w.text);
    const heading = element("h2", "Picture");
    section.append(heading, element("p", "Each class of axes has one axis here" + (none.length ? `, ${none.join(", ")} none` : "") +
      ". Elements are named, not computed." + (elements.length ? ` The elements must meet ${elements.join(" and ")}.` : ""), "quiet"));
    section.append(controls, board, steps, message);
    chosen = Math.max(0, state.left.at.findIndex((one) => sources(one).length > 0));
    draw();
  };
  show();
  document.addEventListener("answer", show);
})();
