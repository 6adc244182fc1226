// SPDX-License-Identifier: Apache-2.0
// explorer/static/picture.js against the interpreter: `picture_values FOLDER | node picture.js`.
// Every instance that it draws has the interpreter's elements; it draws no instance that has none.
"use strict";
const path = require("path");
const { evaluate, chooseActive, rangeOf, startValues } =
  require(path.resolve(process.argv[2] || "explorer/static/picture.js"));
const lines = require("fs").readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const W = (x) => BigInt.asIntN(64, x);
const FOLDS = { add: (a, b) => W(a + b), multiply: (a, b) => W(a * b), maximum: (a, b) => (a > b ? a : b),
                minimum: (a, b) => (a < b ? a : b), reduce: (a, b) => W(a + b) };
const UNITS = { add: 0n, multiply: 1n, maximum: -(2n ** 63n), minimum: 2n ** 63n - 1n, reduce: 0n };
class Skip extends Error {}

const number = (one, picture, sizes) => {
  if (one.tensor !== undefined) return BigInt(1000 * (one.tensor + 1) + one.place);
  if (one.scalar !== undefined) return BigInt(1000 * (picture.tensors.length + one.scalar + 1));
  if (one.literal !== undefined) {
    if (!/^-?\d+$/.test(one.literal)) throw new Skip();
    return BigInt(one.literal);
  }
  const args = one.args.map((a) => number(a, picture, sizes));
  if (one.op.endsWith(" over")) {
    const reducer = one.op.slice(0, -5);
    if (!(reducer in FOLDS)) throw new Skip();
    return args.reduce(FOLDS[reducer], UNITS[reducer]);
  }
  if (one.op === "subtract") return W(args[0] - args[1]);
  if (one.op === "negate" || (args.length === 1 && picture.nodes.some((n) => n && n[0] === "map" && n[1] === one.op && !/^[a-z]{3}/.test(one.op)))) return W(-args[0]);
  if (one.op in FOLDS && args.length === 2) return FOLDS[one.op](args[0], args[1]);
  if (args.length === 2 && one.op.length === 1) return W(args[0] + args[1]); // an operator variable
  throw new Skip();
};

// The elements of the array, row by row for this order of its classes.
const inOrder = (array, axes) => {
  if (axes.slice().sort((a, b) => a - b).join() !== array.classes.join()) return [];
  const sizes = axes.map((c) => array.sizes[array.classes.indexOf(c)]);
  return array.at.map((_, place) => {
    const at = {};
    for (let k = axes.length; k-- > 0; place = Math.floor(place / sizes[k])) at[axes[k]] = place % sizes[k];
    return array.at[array.classes.reduce((sum, c, k) => sum * array.sizes[k] + at[c], 0)];
  });
};

let drawn = 0, refused = 0, skipped = 0;
const faults = [], rules = new Set(), started = new Set(), asked = new Set();
for (const line of lines) {
  const { picture } = line, fault = (text) => faults.push(`${line.rule} at ${line.maps}: ${text}`);
  const at = evaluate(picture, line.maps, line.ranks.map((r) => r === 1));
  if (!asked.has(line.rule)) {
    asked.add(line.rule);
    const active = chooseActive(picture), ranges = picture.maps.map((_, m) => rangeOf(picture, m));
    if (active && startValues(picture, active, ranges)) started.add(line.rule);
  }
  if (line.status === "precondition" || line.status === "left") {
    at.why ? refused++ : fault(`drawn, but ${line.status}`);
    continue;
  }
  if (at.why) {
    /too many/.test(at.why) ? skipped++ : fault(`not drawn: ${at.why}`);
    continue;
  }
  if ((line.status === "right") !== Boolean(at.right.why) && !/too many/.test(at.right.why)) fault(`right: ${at.right.why}`);
  for (const name of ["left", "right"]) {
    const array = name === "left" ? at.left : at.right.array, expected = line[name];
    if (!array || expected === null || expected.data === null) continue;
    try {
      const found = inOrder(array, expected.axes).map((one) => String(number(one, picture)));
      found.join() === expected.data.join() ? drawn++ : fault(`${name} ${found} instead of ${expected.data}`);
      rules.add(line.rule);
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
      skipped++;
    }
  }
}
for (const text of faults.slice(0, 20)) console.log(text);
console.log(`${rules.size} rules, ${drawn} sides, ${refused} refused, ${skipped} left out, ${started.size} of ${asked.size} rules with a picture, ${faults.length} faults`);
process.exit(faults.length || drawn === 0 ? 1 : 0);
