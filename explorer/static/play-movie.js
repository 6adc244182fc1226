// SPDX-License-Identifier: Apache-2.0
// The steps of a record as a movie, one at a time, and a picture that can be zoomed.
"use strict";
(() => {
  function button(text, label, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "plain";
    made.textContent = text;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  }

  function movie(list) {
    const steps = [...list.children].filter((step) => step.tagName === "LI");
    if (steps.length < 2) return;
    const bar = document.createElement("div");
    const range = document.createElement("input");
    const where = document.createElement("span");
    let timer = null;
    bar.className = "movie";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Steps");
    range.type = "range";
    range.min = 1;
    range.max = steps.length;
    range.value = 1;
    range.setAttribute("aria-label", "Step");
    where.setAttribute("aria-live", "polite");

    const all = () => !list.classList.contains("playing");
    // The lines of the programs that a step is about.
    function mark(step) {
      document.querySelectorAll(".diff code.now").forEach((line) => line.classList.remove("now"));
      if (step)
        step.querySelectorAll(".place a").forEach((link) => {
          const line = document.getElementById(link.hash.slice(1));
          if (line) line.classList.add("now");
        });
    }
    function show() {
      mark(all() ? null : steps[Number(range.value) - 1]);
      steps.forEach((step, i) => step.classList.toggle("now", i + 1 === Number(range.value)));
      where.textContent = all() ? `${steps.length} steps` : `step ${range.value} of ${steps.length}`;
    }
    function go(to) {
      list.classList.add("playing");
      range.value = to;
      show();
    }
    function pause() {
      clearInterval(timer);
      timer = null;
      play.textContent = "Play";
    }
    const play = button("Play", null, () => {
      if (timer) return pause();
      go(all() || Number(range.value) === steps.length ? 1 : Number(range.value) + 1);
      play.textContent = "Pause";
      timer = setInterval(() => {
        if (Number(range.value) >= steps.length || !list.isConnected) pause();
        else go(Number(range.value) + 1);
      }, 1800);
    });
    const back = button("←", "Step back", () => { pause(); go(Math.max(1, Number(range.value) - 1)); });
    const next = button("→", "Next step", () => {
      pause();
      go(all() ? 1 : Math.min(steps.length, Number(range.value) + 1));
    });
    const list_all = button("All", "Show all steps", () => { pause(); list.classList.remove("playing"); show(); });
    range.addEventListener("input", () => { pause(); go(range.value); });
    bar.append(play, back, range, next, list_all, where);
    list.before(bar);
    show();
    // A link to a step or a rule of the record shows it.
    document.addEventListener("click", (event) => {
      const link = event.target.closest && event.target.closest("a[href^='#line-']");
      const step = link && steps.indexOf(document.getElementById(link.hash.slice(1)));
      if (link && step >= 0 && !all()) go(step + 1);
    });
  }

  function zoom(figure) {
    const svg = figure.querySelector("svg");
    if (!svg || !svg.viewBox.baseVal || !svg.viewBox.baseVal.width) return;
    const box = svg.viewBox.baseVal;
    const whole = { x: box.x, y: box.y, width: box.width, height: box.height };
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    figure.style.aspectRatio = `${whole.width} / ${whole.height}`;
    figure.classList.add("zooms");
    function scale(by, fx = 0.5, fy = 0.5) {
      const width = Math.min(whole.width * 4, Math.max(20, box.width * by));
      const factor = width / box.width;
      box.x += box.width * (1 - factor) * fx;
      box.y += box.height * (1 - factor) * fy;
      box.width *= factor;
      box.height *= factor;
    }
    function move(dx, dy) {
      box.x += dx * box.width;
      box.y += dy * box.height;
    }
    function reset() {
      Object.assign(box, whole);
    }
    const place = (event) => {
      const at = figure.getBoundingClientRect();
      return [(event.clientX - at.left) / at.width, (event.clientY - at.top) / at.height];
    };
    figure.addEventListener("wheel", (event) => {
      event.preventDefault();
      scale(event.deltaY > 0 ? 1.15 : 1 / 1.15, ...place(event));
    }, { passive: false });
    let from = null;
    figure.addEventListener("pointerdown", (event) => {
      from = place(event);
      figure.setPointerCapture(event.pointerId);
    });
    figure.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = place(event);
      move(from[0] - to[0], from[1] - to[1]);
      from = to;
    });
    figure.addEventListener("pointerup", () => { from = null; });
    figure.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
      if (moves[event.key]) move(...moves[event.key]);
      else if (event.key === "+" || event.key === "=") scale(1 / 1.25);
      else if (event.key === "-") scale(1.25);
      else if (event.key === "0") reset();
      else return;
      event.preventDefault();
    });
    // A double click on a class shows what is near it.
    figure.addEventListener("dblclick", (event) => {
      const box = [...svg.querySelectorAll("g.cluster")].find((g) => {
        const at = g.getBoundingClientRect();
        return at.left <= event.clientX && event.clientX <= at.right && at.top <= event.clientY && event.clientY <= at.bottom;
      });
      const name = box && box.querySelector("text"), field = document.getElementById("around");
      if (!name || !field) return;
      field.value = name.textContent.split(" ")[0];
      field.form.requestSubmit(field.form.querySelector("button[value=egraph]"));
    });
    const bar = document.createElement("div");
    bar.className = "zoom";
    bar.append(button("+", "Zoom in", () => scale(1 / 1.25)), button("−", "Zoom out", () => scale(1.25)),
      button("Whole", null, reset));
    figure.before(bar);
  }

  function dress(root) {
    root.querySelectorAll("ol.steps").forEach(movie);
    root.querySelectorAll("figure.egraph").forEach(zoom);
  }
  document.addEventListener("answer", (event) => dress(event.detail));
  const answer = document.getElementById("answer");
  if (answer) dress(answer);
})();
