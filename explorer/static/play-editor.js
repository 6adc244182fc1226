// SPDX-License-Identifier: Apache-2.0
// The text of a playground: colours, errors at their place while typing, completion, files that are
// dropped.  Without this file it is a plain field of text.
"use strict";
(() => {
  const play = window.play;
  if (!play) return;
  const text = document.getElementById("text");
  const what = play.form.dataset.what;

  // ---- files

  const read = async (file) => {
    if (!file) return;
    text.value = await file.text();
    text.dispatchEvent(new Event("input"));
  };
  const file = play.form.querySelector("input[type=file]");
  if (file) {
    file.addEventListener("change", async () => {
      await read(file.files[0]);
      file.value = "";
    });
    for (const name of ["dragenter", "dragover"])
      document.addEventListener(name, (event) => { event.preventDefault(); text.classList.add("dropping"); });
    document.addEventListener("dragleave", () => text.classList.remove("dropping"));
    document.addEventListener("drop", async (event) => {
      event.preventDefault();
      text.classList.remove("dropping");
      await read(event.dataTransfer.files[0]);
      if (what === "record" && text.value) play.form.requestSubmit(play.form.querySelector("button[name=task]"));
    });
  }

  // A place in the text that an answer names.
  function select(line, column) {
    const lines = text.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1);
    text.focus();
    text.setSelectionRange(at, at + ((text.value.slice(at).match(/^\w+/) || [" "])[0].length));
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[data-line]");
    if (!link) return;
    event.preventDefault();
    select(Number(link.dataset.line), Number(link.dataset.column));
  });

  if (what !== "rule") return;

  // ---- colours and errors

  const editor = text.parentElement;
  const under = document.createElement("pre");
  const errors = document.createElement("ul");
  const keys = new Set(("rule origin claims axes axis map type tensor scalar op let where index all and or not any num int uint " +
    "sint float real bool true false inf lowest highest unit wider define").split(" "));
  let words = [], wrong = [];
  under.className = "under";
  under.setAttribute("aria-hidden", "true");
  errors.id = "errors";
  errors.setAttribute("aria-live", "polite");
  editor.prepend(under);
  editor.classList.add("on");
  editor.after(errors);
  text.setAttribute("wrap", "off");
  text.setAttribute("aria-describedby", "errors");

  function paint() {
    const value = text.value;
    const marks = wrong.map((error) => {
      const lines = value.split("\n");
      const at = lines.slice(0, error.line - 1).reduce((sum, one) => sum + one.length + 1, 0) + error.column - 1;
      return [at, at + Math.max(1, (value.slice(at).match(/^\w+/) || [""])[0].length)];
    });
    under.replaceChildren();
    const put = (part, kind, from) => {
      const span = document.createElement("span");
      const bad = marks.some(([a, b]) => a < from + part.length && from < b);
      span.className = [kind, bad ? "wrong" : ""].join(" ").trim();
      span.textContent = part;
      under.append(span.className ? span : part);
    };
    for (const token of value.matchAll(/\/\/[^\n]*|[A-Za-z_]\w*|\d+(\.\d+)?|\s+|[^]/g)) {
      const part = token[0];
      const kind = part.startsWith("//") ? "comment" : keys.has(part) ? "key" : words.includes(part) ? "operator"
        : /^\d/.test(part) ? "number" : "";
      put(part, kind, token.index);
    }
    under.append("\n");
    under.scrollTop = text.scrollTop;
    under.scrollLeft = text.scrollLeft;
  }
  function list() {
    errors.replaceChildren(...wrong.slice(0, 5).map((error) => {
      const item = document.createElement("li");
      const go = document.createElement("button");
      go.type = "button";
      go.textContent = `line ${error.line}: ${error.message}${error.hint ? ` (${error.hint})` : ""}`;
      go.addEventListener("click", () => select(error.line, error.column));
      item.append(go);
      return item;
    }));
    text.setAttribute("aria-invalid", wrong.length > 0);
  }

  let asking = null, timer = null;
  async function check() {
    if (asking) asking.abort();
    const mine = asking = new AbortController();
    const fields = new FormData();
    fields.set("task", "check");
    fields.set("text", text.value);
    try {
      await play.lines(fields, mine.signal, (line) => {
        if (asking === mine && line.json) {
          wrong = line.json;
          paint();
          list();
        }
      });
    } catch (error) {
      if (error.name !== "AbortError") wrong = [];
    }
  }
  text.addEventListener("input", () => {
    paint();
    clearTimeout(timer);
    timer = setTimeout(check, 250);
    complete();
  });
  text.addEventListener("scroll", () => {
    under.scrollTop = text.scrollTop;
    under.scrollLeft = text.scrollLeft;
  });

  // ---- completion

  const box = document.createElement("ul");
  let shown = [], chosen = 0;
  box.id = "words";
  box.hidden = true;
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", "Completions");
  editor.append(box);
  text.setAttribute("aria-controls", "words");

  const begun = () => (text.value.slice(0, text.selectionStart).match(/[A-Za-z_]\w*$/) || [""])[0];
  function close() {
    box.hidden = true;
    shown = [];
  }
  function complete() {
    const start = begun();
    const own = new Set(text.value.match(/[A-Za-z_]\w*/g) || []);
    own.delete(start);
    shown = start.length < 2 ? [] : [...new Set([...words, ...keys, ...own])]
      .filter((word) => word.startsWith(start) && word !== start).sort().slice(0, 12);
    chosen = 0;
    if (shown.length === 0) return close();
    box.replaceChildren(...shown.map((word, i) => {
      const item = document.createElement("li");
      item.textContent = word;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", i === 0);
      item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(word); });
      return item;
    }));
    const before = text.value.slice(0, text.selectionStart).split("\n");
    const style = getComputedStyle(text);
    const height = parseFloat(style.lineHeight), width = parseFloat(style.fontSize) * 0.6;
    box.style.top = `${before.length * height + 8 - text.scrollTop}px`;
    box.style.left = `${Math.max(0, Math.min(editor.clientWidth - 200,
      (before[before.length - 1].length - start.length) * width - text.scrollLeft + 8))}px`;
    box.hidden = false;
  }
  function take(word) {
    const end = text.selectionStart;
    text.setRangeText(word, end - begun().length, end, "end");
    text.dispatchEvent(new Event("input"));
    close();
  }
  text.addEventListener("keydown", (event) => {
    if (box.hidden) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      chosen = (chosen + (event.key === "ArrowDown" ? 1 : shown.length - 1)) % shown.length;
      [...box.children].forEach((item, i) => item.setAttribute("aria-selected", i === chosen));
      box.children[chosen].scrollIntoView({ block: "nearest" });
    } else if (event.key === "Tab" || event.key === "Enter") {
      take(shown[chosen]);
    } else if (event.key === "Escape") {
      close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  text.addEventListener("blur", close);

  paint();
  check();
  const asked = new FormData();
  asked.set("task", "words");
  play.lines(asked, undefined, (line) => {
    if (line.json) words = line.json;
    paint();
  }).catch(() => {});
})();
