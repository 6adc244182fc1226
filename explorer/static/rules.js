// SPDX-License-Identifier: Apache-2.0
// The list of rules: search while typing, filters, counts, order; the address holds all of it.
// explorer/pages/selection.c does the same in the program.
"use strict";
(() => {
  const form = document.getElementById("filters"), list = document.getElementById("found");
  const rules = window.rankwrightRules;
  if (!form || !list || !rules) return;
  const DOMAINS = ["bool", "int", "word", "real", "float"];
  const DECISIONS = { p: "proved", r: "refuted", u: "unknown" };
  const SIGNS = { p: "✓", r: "✗", u: "?" };
  const AT_ONCE = 100;
  // The members of a row, in the order in which the program writes them.
  const [PATH, NAME, FAMILY, DOC, STATEMENT, VERDICTS, OPERATORS, ROLES, ORIGINS, LAYER, REASONS,
         SECONDS, OBLIGATIONS, USES, WORDS] = Array(15).keys();
  const FACETS = {
    op: (r) => r[OPERATORS], domain: (r) => DOMAINS.filter((d, i) => r[VERDICTS][i] !== "-"),
    verdict: (r) => [...new Set(r[VERDICTS].replace(/-/g, ""))].map((v) => DECISIONS[v]),
    family: (r) => [r[FAMILY]], precondition: (r) => r[ROLES], origin: (r) => r[ORIGINS],
    layer: (r) => (r[LAYER] ? [r[LAYER]] : []), reason: (r) => r[REASONS],
  };
  const suffix = list.closest("[data-suffix]").dataset.suffix;
  const count = document.getElementById("count"), after = document.getElementById("after");

  // What the address or the form asks for.
  const read = (parameters) => {
    const wanted = { q: (parameters.get("q") || "").toLowerCase().split(/[ \t\n]+/).filter(Boolean) };
    for (const facet of Object.keys(FACETS))
      wanted[facet] = parameters.getAll(facet).filter(Boolean);
    wanted.sort = parameters.get("sort") || "family";
    return wanted;
  };

  const verdictPasses = (rule, domain, verdict) => {
    if (!domain && !verdict) return true;
    return DOMAINS.some((name, i) => rule[VERDICTS][i] !== "-" && (!domain || name === domain) &&
      (!verdict || DECISIONS[rule[VERDICTS][i]] === verdict));
  };

  const accepts = (rule, wanted, but) => {
    if (!wanted.q.every((word) => rule[WORDS].includes(word))) return false;
    for (const facet of Object.keys(FACETS))
      if (facet !== but && facet !== "domain" && facet !== "verdict" &&
          !wanted[facet].every((value) => FACETS[facet](rule).includes(value))) return false;
    return verdictPasses(rule, but === "domain" ? "" : wanted.domain[0],
                         but === "verdict" ? "" : wanted.verdict[0]);
  };

  const weight = {
    proved: (r) => (r[VERDICTS].match(/p/g) || []).length, seconds: (r) => r[SECONDS],
    obligations: (r) => r[OBLIGATIONS], uses: (r) => r[USES],
  };
  const sorted = (found, sort) => {
    const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    if (sort === "name") return found.sort((a, b) => order(a[NAME], b[NAME]));
    const of = weight[sort];
    return of ? found.sort((a, b) => order(of(b), of(a))) : found;
  };

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const badge = (domain, letter) => {
    const made = element("span", domain + " ", "verdict " + DECISIONS[letter]);
    const sign = element("span", SIGNS[letter]);
    sign.setAttribute("aria-hidden", "true");
    made.append(sign, element("span", DECISIONS[letter], "visually-hidden"));
    return made;
  };
  const item = (rule) => {
    const made = element("li"), title = element("div", "", "title"), link = element("a", rule[NAME]);
    const badges = element("span", "", "badges");
    link.href = rule[PATH] + suffix;
    DOMAINS.forEach((domain, i) => {
      if (rule[VERDICTS][i] !== "-") badges.append(badge(domain, rule[VERDICTS][i]), " ");
    });
    title.append(link, " ", element("span", rule[FAMILY], "quiet"), " ", badges);
    made.append(title);
    if (rule[DOC]) made.append(element("div", rule[DOC]));
    if (rule[STATEMENT]) made.append(element("code", rule[STATEMENT]));
    return made;
  };

  const show = (found, from) => {
    list.append(...found.slice(from, from + AT_ONCE).map(item));
    after.replaceChildren();
    if (found.length <= from + AT_ONCE) return;
    const more = element("button", `Show more (${found.length - from - AT_ONCE} left)`, "plain");
    more.type = "button";
    more.addEventListener("click", () => {
      show(found, from + AT_ONCE);
      list.children[from + AT_ONCE].querySelector("a").focus();
    });
    after.append(more);
  };

  const fillFacet = (facet, wanted) => {
    const select = form.elements.namedItem(facet), counts = new Map();
    const menu = select instanceof RadioNodeList ? [...select].find((s) => s.tagName === "SELECT") : select;
    for (const rule of rules)
      if (accepts(rule, wanted, facet))
        for (const value of new Set(FACETS[facet](rule))) counts.set(value, (counts.get(value) || 0) + 1);
    const chosen = wanted[facet][0] || "";
    if (chosen && !counts.has(chosen)) counts.set(chosen, 0);
    const any = new Option("any", "");
    // Single origins are many: only the lists, and the chosen one.
    const names = [...counts.keys()].filter((n) => facet !== "origin" || n === chosen || /^[^ -]+$/.test(n));
    menu.replaceChildren(any, ...names.sort().map((name) =>
      new Option(`${name} (${counts.get(name)})`, name, name === chosen, name === chosen)));
  };

  const update = (wanted) => {
    const found = sorted(rules.filter((rule) => accepts(rule, wanted, "")), wanted.sort);
    list.replaceChildren();
    list.classList.remove("hidden");
    show(found, 0);
    count.textContent = `${found.length} of ${rules.length} rules`;
    for (const facet of Object.keys(FACETS)) fillFacet(facet, wanted);
  };

  const asked = () => {
    const parameters = new URLSearchParams();
    for (const [key, value] of new FormData(form))
      if (value && !(key === "sort" && value === "family")) parameters.append(key, value);
    return parameters;
  };
  const follow = () => {
    const parameters = asked(), text = parameters.toString();
    history.replaceState(null, "", text ? "?" + text : location.pathname.replace(/.*\//, ""));
    update(read(parameters));
  };

  const plain = document.getElementById("plain");
  if (plain) plain.remove();
  form.hidden = false;
  const start = new URLSearchParams(location.search);
  for (const name of ["q", "sort"])
    if (start.get(name)) form.elements.namedItem(name).value = start.get(name);
  // Further operators of a link stay in the form.
  if (form.querySelectorAll("input[type=hidden]").length === 0)
    for (const op of start.getAll("op").filter(Boolean).slice(1)) {
      const more = element("input");
      Object.assign(more, { type: "hidden", name: "op", value: op });
      form.prepend(more);
    }
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, 60);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    follow();
  });
  // On a narrow window the rules come first, unless a filter is set.
  if (window.matchMedia("(max-width: 52rem)").matches && Object.keys(FACETS).every((f) => !start.get(f)))
    document.getElementById("facets").open = false;
  update(read(start));
})();
