// SPDX-License-Identifier: Apache-2.0
// The form of a playground: asks for the answer and shows it as it is made.
"use strict";
(() => {
  const form = document.querySelector("form.play");
  if (!form) return;
  const answer = document.getElementById("answer");
  const progress = document.getElementById("progress");
  const stop = document.getElementById("stop");
  const client = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(36)).join("").slice(0, 30);
  let running = null;

  const say = (text) => { progress.textContent = text; };

  // Calls take(line) with every line of JSON.
  async function lines(fields, signal, take) {
    fields.set("client", client);
    const reply = await fetch(form.getAttribute("action").split("#")[0], {
      method: "POST", body: fields, signal, headers: { "X-Rankwright": "live" },
    });
    if (!reply.ok) throw new Error(await reply.text());
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      for (const part of parts) if (part) take(JSON.parse(part));
    }
  }

  function show(html) {
    answer.innerHTML = html;
    document.dispatchEvent(new CustomEvent("answer", { detail: answer }));
  }
  function refuse(text) {
    const p = document.createElement("p");
    p.className = "error";
    p.setAttribute("role", "alert");
    p.textContent = text;
    answer.replaceChildren(p);
  }

  async function run(fields, name) {
    if (running) running.abort();
    const mine = running = new AbortController();
    const start = performance.now();
    let note = "", last = null;
    const tick = () => say(`${name}: ${note} ${((performance.now() - start) / 1000).toFixed(0)} s`);
    const timer = setInterval(tick, 500);
    stop.hidden = false;
    answer.setAttribute("aria-busy", "true");
    try {
      await lines(fields, mine.signal, (line) => {
        if ("waiting" in line) note = line.waiting > 1 ? `${line.waiting - 1} jobs are before it,` : "";
        if ("progress" in line) note = `${line.progress},`;
        last = line;
        tick();
      });
      if (last && "html" in last) show(last.html);
      else refuse((last && last.refused) || "The server gave no answer.");
      say(`${name}: done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
      answer.focus({ preventScroll: true });
      answer.scrollIntoView({ block: "start" });
    } catch (error) {
      if (running !== mine) return;
      say(error.name === "AbortError" ? `${name}: stopped` : "");
      if (error.name !== "AbortError") refuse(error.message);
    } finally {
      clearInterval(timer);
      if (running === mine) {
        running = null;
        stop.hidden = true;
        answer.removeAttribute("aria-busy");
      }
    }
  }

  // What was asked stays in the address, if it is short: to go back to, or to keep.
  function keep(fields) {
    const kept = new URLSearchParams();
    for (const [name, value] of fields)
      if (typeof value === "string" && value && name !== "task" && name !== "client") kept.set(name, value);
    const text = kept.toString();
    history.replaceState(null, "", text.length < 6000 ? "?" + text : location.pathname);
  }

  form.addEventListener("submit", (event) => {
    const button = event.submitter || form.querySelector("button[name=task]");
    event.preventDefault();
    const fields = new FormData(form, button);
    keep(fields);
    run(fields, button.textContent.trim().replace(/\?$/, ""));
  });
  // A button of an answer asks about its own text: here if this page has the task.
  document.addEventListener("submit", (event) => {
    const offer = event.target;
    const task = offer.matches("form.offer") && offer.elements.task.value;
    const button = task && form.querySelector(`button[name=task][value="${task}"]`);
    if (!button || offer.action.split("#")[0] !== form.action.split("#")[0]) return;
    event.preventDefault();
    const text = document.getElementById("text");
    text.value = offer.elements.text.value;
    text.dispatchEvent(new Event("input"));
    form.requestSubmit(button);
  });
  stop.addEventListener("click", () => running && running.abort());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && running) running.abort();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form.contains(event.target)) {
      event.preventDefault();
      form.requestSubmit(form.querySelector("button[name=task]"));
    }
  });

  window.play = { form, lines, answer };
})();
