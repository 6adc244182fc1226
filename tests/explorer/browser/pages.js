// SPDX-License-Identifier: Apache-2.0
// pages.js OUT: see run.sh.
"use strict";
const fs = require("fs"), path = require("path");
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const out = path.resolve(process.argv[2]), shots = path.join(out, "shots");
const address = (page) => "file://" + path.join(out, "site") + "/" + page;
const PAGES = {
  start: "index.html", rules: "rules.html", filtered: "rules.html?op=slice&verdict=refuted",
  moves: "rule/slice/slice_of_slice.html", padded: "rule/pad/pad_of_pad.html",
  reshape: "rule/reshape/merge_of_concat.html", refuted: "rule/dot/dot_of_concat_left.html",
  formula: "rule/activations/soft_shrink.html", long: "rule/products/concat_of_convs_of_kernels.html",
  operators: "operators.html", operator: "operator/slice.html", coverage: "coverage.html", discovered: "discovered.html", about: "about.html",
};
const faults = [];
const fault = (where, text) => faults.push(`${where}: ${text}`);

const open = async (context, where, name) => {
  const page = await context.newPage();
  page.on("console", (m) => m.type() === "error" && fault(where, `console: ${m.text()}`));
  page.on("pageerror", (error) => fault(where, `error: ${error.message}`));
  page.on("requestfailed", (r) => // a page that is left aborts its requests
    r.failure().errorText !== "net::ERR_ABORTED" && fault(where, `request: ${r.url()}`));
  await page.goto(address(name));
  return page;
};

const look = async (page, where) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wide > 0) fault(where, `${wide} pixels wider than the window`);
  await page.screenshot({ path: path.join(shots, where + ".png"), fullPage: false });
};

const judge = async (page, where) => {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const one of found.violations)
    if (["serious", "critical"].includes(one.impact))
      fault(where, `${one.id}: ${one.nodes.length} times, ${one.nodes[0].html.slice(0, 140)}`);
};

// Search while typing; the address holds the selection; the counts are those of `query`.
const lists = async (context) => {
  for (const line of fs.readFileSync(path.join(out, "counts"), "utf8").trimEnd().split("\n")) {
    const cut = line.lastIndexOf(" "), query = line.slice(0, cut).trim(), rules = line.slice(cut + 1);
    const page = await open(context, "count", "rules.html?" + query);
    const text = await page.textContent("#count");
    if (!text.startsWith(rules + " of ")) fault("count", `${query}: ${text} instead of ${rules}`);
    await page.close();
  }
  const page = await open(context, "typing", "rules.html");
  await page.fill("input[name=q]", "slicing twice");
  await page.waitForFunction(() => /q=slicing/.test(location.search));
  const first = await page.textContent("#found a");
  if (first !== "slice_of_slice") fault("typing", `found ${first}`);
  if (!(await page.isVisible("select[name=verdict]"))) await page.click("#facets summary");
  await page.selectOption("select[name=verdict]", "proved");
  await page.waitForFunction(() => /verdict=proved/.test(location.search));
  await page.reload();
  if ((await page.inputValue("input[name=q]")) !== "slicing twice") fault("typing", "the link lost the words");
  if ((await page.inputValue("select[name=verdict]")) !== "proved") fault("typing", "the link lost a filter");
  await page.click("#found a");
  await page.waitForSelector("h1");
  if ((await page.textContent("h1")) !== "slice_of_slice") fault("typing", "the link leads elsewhere");
  await page.close();
};

// Sliders change both sides; steps mark elements and their sources, by keys alone.
const pictures = async (context) => {
  const page = await open(context, "picture", PAGES.moves);
  const size = () => page.locator("#picture figure").nth(1).locator("td").count();
  const before = await size(), slider = page.locator("#picture input").first();
  await slider.focus();
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowLeft");
  if (!/Nothing to draw|empty/.test(await page.textContent("#picture")))
    fault("picture", "sizes that the rule does not allow are drawn");
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
  if ((await size()) < 1 || before < 1) fault("picture", "nothing is drawn");
  const chosen = () => page.locator("#picture td.chosen").first().getAttribute("data-place");
  const place = await chosen();
  await page.click("#picture .steps button:last-child");
  if ((await chosen()) === place && (await size()) > 1) fault("picture", "no step");
  if ((await page.locator("#picture td.source").count()) < 1) fault("picture", "no source is marked");
  await page.close();
};

(async () => {
  fs.rmSync(shots, { recursive: true, force: true });
  fs.mkdirSync(shots, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"],
  });
  for (const width of [1280, 390])
    for (const colorScheme of ["light", "dark"])
      for (const javaScriptEnabled of [true, false]) {
        const context = await browser.newContext({
          viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme, javaScriptEnabled,
        });
        for (const [kind, name] of Object.entries(PAGES)) {
          const where = `${kind}-${width}-${colorScheme}${javaScriptEnabled ? "" : "-plain"}`;
          const page = await open(context, where, name);
          await look(page, where);
          if (javaScriptEnabled) await judge(page, where);
          await page.close();
        }
        if (javaScriptEnabled && colorScheme === "light") {
          await lists(context);
          await pictures(context);
        }
        await context.close();
      }
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  for (const kind of ["moves", "padded", "refuted", "formula", "start"]) {
    const page = await open(context, kind, PAGES[kind]);
    await page.screenshot({ path: path.join(shots, `${kind}-whole.png`), fullPage: true });
    await page.emulateMedia({ media: "print" });
    await page.screenshot({ path: path.join(shots, `${kind}-print.png`), fullPage: true });
    await page.close();
  }
  await browser.close();
  const unique = [...new Set(faults)];
  for (const text of unique.slice(0, 60)) console.log(text);
  console.log(`${fs.readdirSync(shots).length} screenshots in ${shots}, ${unique.length} faults`);
  process.exit(unique.length ? 1 : 0);
})();
