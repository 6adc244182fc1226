// play.js OUT RANKWRIGHT DATABASE: the stories of the playground on a server, see run.sh.
"use strict";
const fs = require("fs"), path = require("path");
const { spawn } = require("child_process");
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [out, program, database] = process.argv.slice(2).map((text) => path.resolve(text));
const shots = path.join(out, "shots");
const WAIT = 300000; // of a busy machine
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const faults = [];
const fault = (where, text) => faults.push(`${where}: ${text}`);
let address = "";

const open = async (context, where, name) => {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT);
  page.on("console", (m) => m.type() === "error" && fault(where, `console: ${m.text()}`));
  page.on("pageerror", (error) => fault(where, `error: ${error.message}`));
  await page.goto(address + name);
  return page;
};
const look = async (page, where) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wide > 0) fault(where, `${wide} pixels wider than the window`);
  await page.screenshot({ path: path.join(shots, where + ".png"), fullPage: true });
};
const judge = async (page, where) => {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const one of found.violations)
    if (["serious", "critical"].includes(one.impact))
      fault(where, `${one.id}: ${one.nodes.length} times, ${one.nodes[0].html.slice(0, 140)}`);
};
// Asks for a task and waits for its answer.
const ask = async (page, task, text, scripted) => {
  if (!scripted) {
    await Promise.all([page.waitForNavigation({ timeout: WAIT }), page.click(`form.play button[value=${task}]`)]);
    if (!(await page.textContent("#answer")).includes(text)) throw new Error(`no answer to ${task} on the page`);
    return;
  }
  await page.click(`form.play button[value=${task}]`);
  await page.waitForFunction((words) => {
    const answer = document.getElementById("answer");
    return answer && !answer.hasAttribute("aria-busy") && answer.textContent.includes(words);
  }, text, { timeout: WAIT });
};

// A false rule, its counterexample, its repair, which is proved.
const repair = async (context, scripted, where, done) => {
  const page = await open(context, where, "play/rules?example=slice_of_slice");
  await ask(page, "prove", "refuted", scripted);
  await done(page, "proved");
  await ask(page, "repair", "repaired1", scripted);
  await done(page, "repaired");
  const offer = page.locator("form.offer button").first();
  if (scripted) await offer.click();
  else await Promise.all([page.waitForNavigation(), offer.click()]);
  await page.locator("#answer .verdict.proved").nth(4).waitFor({ timeout: WAIT });
  if (scripted && !(await page.inputValue("#text")).includes("repaired1")) fault(where, "the rule is not in the field");
  await page.close();
};
// A program: before and after, its steps one by one, its e-graph, what was missed.
const program_story = async (context, scripted, where, done) => {
  const page = await open(context, where, "play/programs?example=flip");
  await ask(page, "simplify", "uses of rules", scripted);
  if (scripted) {
    await page.click(".movie button[aria-label='Next step']");
    if ((await page.locator("ol.steps > li:visible").count()) !== 1) fault(where, "more than one step is shown");
    if (!(await page.textContent(".movie")).includes("step 1 of")) fault(where, "the step has no number");
  }
  await done(page, "simplified");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("a[download]")]);
  const record = await download.path();
  if (!fs.readFileSync(record, "utf8").includes("rankwright proof record")) fault(where, "the record is none");
  // A step leads to a line of the program, and the line back to the step.
  await page.click("ol.steps .place a >> visible=true");
  const line = await page.evaluate(() => location.hash);
  if (!/^#(before|after)-\d+$/.test(line) || (await page.locator(line).count()) !== 1) fault(where, `no line at ${line}`);
  if ((await page.locator(`${line} i a[href^="#line-"]`).count()) !== 1) fault(where, `the line ${line} leads to no step`);
  await ask(page, "egraph", "E-graph", scripted);
  await done(page, "egraph");
  await page.fill("#around", "c1");
  await ask(page, "egraph", "neighbourhood of class c1", scripted);
  await page.fill("#around", "");
  await ask(page, "missed", "missed", scripted);
  const operation = page.locator(".operations summary").first();
  await operation.focus();
  await page.keyboard.press("Enter");
  if (!(await page.locator(".operations details[open] li").first().isVisible())) fault(where, "an operation does not open");
  await done(page, "missed");
  // The record on its own page, as a file.
  await page.goto(address + "play/records");
  if (scripted) {
    await page.setInputFiles("input[type=file]", record);
    await page.waitForFunction(() => document.getElementById("text").value.includes("rankwright proof record"));
  } else {
    await page.fill("#text", fs.readFileSync(record, "utf8"));
  }
  await ask(page, "record", "valid", scripted);
  if ((await page.locator("#answer .verdict.proved").count()) < 1) fault(where, "the record is not valid");
  await done(page, "record");
  await page.fill("#text", fs.readFileSync(record, "utf8").replace(/"lines"/, '"rules"'));
  await page.click("form.play button[value=record]");
  await page.locator("#answer .error, #answer .verdict.refuted").first().waitFor({ timeout: WAIT });
  await page.close();
};
const formula = async (context, scripted, where, done) => {
  const page = await open(context, where, "play/formulas?example=gelu");
  await ask(page, "formula", "gelu", scripted);
  await done(page, "formula");
  await page.goto(address + "play/kernels?example=softmax_row");
  await ask(page, "lift", "proved", scripted);
  await done(page, "kernel");
  await page.close();
};
// Pages of the library on the server; a search that leads to a rule, the rule to its neighbours
// and to its obligations.
const find = async (context, scripted, where, done) => {
  const page = await open(context, where, "");
  await done(page, "start");
  await page.fill("input[name=q]", "slicing twice");
  await Promise.all([page.waitForNavigation(), page.click(".big-search button")]);
  await done(page, "rules");
  await Promise.all([page.waitForNavigation(), page.click("#found a")]);
  if ((await page.textContent("h1")) !== "slice_of_slice") fault(where, "the search finds another rule");
  await done(page, "rule");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("a[href$='.smt2']")]);
  if (!fs.readFileSync(await file.path(), "utf8").includes("(check-sat)")) fault(where, "the obligations are none");
  await Promise.all([page.waitForNavigation({ timeout: WAIT }), page.click("button[value=relatives]")]);
  if (!(await page.textContent("#answer")).includes("special case")) fault(where, "no answer about neighbours");
  await done(page, "neighbours");
  await page.close();
};
// Errors at their place while typing, completion, all by keys.
const typing = async (context) => {
  const page = await open(context, "typing", "play/rules?example=distribute");
  await page.waitForSelector(".editor .operator");
  await page.fill("#text", "rule a {\n  axes x;\n  map n on x;\n  tensor A[x: n] : num;\n  ");
  await page.waitForFunction(() => document.querySelectorAll("#errors li").length > 0);
  await page.focus("#text");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("multip");
  await page.waitForSelector("#words li");
  await page.keyboard.press("Tab");
  await page.keyboard.type("(A, 1) => A;\n}\n");
  if (!(await page.inputValue("#text")).includes("multiply(A, 1)")) fault("typing", "no completion");
  await page.waitForFunction(() => document.querySelectorAll("#errors li").length === 0);
  await page.keyboard.press("Control+Enter");
  await page.waitForFunction(() => document.querySelectorAll("#answer .verdict").length > 2);
  // Text that is markup is shown as text.
  await page.fill("#text", "<img src=x onerror=alert(1)>");
  await page.waitForFunction(() => document.querySelectorAll("#errors li").length > 0);
  if ((await page.locator("#content img").count()) > 0) fault("typing", "markup of the text is in the page");
  await page.close();
};

const serve = () => new Promise((ready, failed) => {
  const server = spawn(program, ["serve", "--db", database], { stdio: ["ignore", "pipe", "inherit"] });
  server.stdout.on("data", (text) => { address = String(text).trim(); ready(server); });
  server.on("exit", () => failed(new Error("the server ended")));
});

(async () => {
  fs.mkdirSync(shots, { recursive: true });
  const server = await serve();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: FLAGS });
  try {
    const settings = [1280, 390].flatMap((width) => ["light", "dark"].flatMap((colorScheme) =>
      [true, false].map((scripted) => [width, colorScheme, scripted])));
    for (const [width, colorScheme, scripted] of settings) {
      const context = await browser.newContext({
        viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: scripted, acceptDownloads: true,
      });
      const name = `play-${width}-${colorScheme}${scripted ? "" : "-plain"}`;
      const done = async (page, what) => {
        if (scripted) await look(page, `${name}-${what}`), await judge(page, `${name}-${what}`);
        else await page.screenshot({ path: path.join(shots, `${name}-${what}.png`), fullPage: true });
      };
      for (const story of [find, repair, program_story, formula]) {
        try {
          await story(context, scripted, name, done);
        } catch (error) {
          fault(name, `${story.name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
        }
      }
      if (scripted && width > 1000 && colorScheme === "light") await typing(context).catch((error) => fault("typing", error.message));
      await context.close();
    }
  } finally {
    await browser.close();
    server.removeAllListeners("exit");
    server.kill();
  }
  console.log(faults.length ? faults.join("\n") : "playground: every story ends well");
  process.exit(faults.length ? 1 : 0);
})();
