# SPDX-License-Identifier: Apache-2.0
"""Opens pages in a headless Chromium and looks at what became of them.

    check.py [--chromium PROGRAM] [--shots FOLDER] [--maths N] PAGE...

Each page is opened from file://, at 360 and 1280 pixels, light and dark.  It
must log nothing, ask for nothing but itself, not be wider than the window,
show every formula (N at least, or 2) in a box of some size, and every link must lead to an element
of the page.  Only the standard library: the browser is spoken to over the two
pipes of --remote-debugging-pipe.
"""
import argparse
import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

LOOK = r"""(() => {
  const wrong = [];
  const maths = [...document.querySelectorAll('math')];
  document.querySelectorAll('details').forEach(d => d.open = true);
  for (const m of maths) {
    const b = m.getBoundingClientRect();
    if (b.width < 4 || b.height < 4)
      wrong.push('a formula without size: ' + m.textContent.slice(0, 60));
    for (const x of m.querySelectorAll('mi, mn, mfrac, msqrt, mtable')) {
      const c = x.getBoundingClientRect();
      if (c.width <= 0 || c.height <= 0)
        wrong.push(x.localName + ' without size in ' +
                   m.textContent.slice(0, 60));
    }
    if (m.querySelector('merror, parsererror'))
      wrong.push('a formula with an error');
    const known = /^(math|mrow|mi|mn|mo|mtext|mfrac|msqrt|mroot|msup|msub|munder|mtable|mtr|mtd)$/;
    for (const x of m.querySelectorAll('*')) {
      if (!known.test(x.localName) || x.namespaceURI !== m.namespaceURI)
        wrong.push('no element of MathML: ' + x.localName);
      const n = {mfrac: 2, mroot: 2, msup: 2, msub: 2, munder: 2}[x.localName];
      if (n && x.children.length !== n)
        wrong.push(x.localName + ' with ' + x.children.length + ' children');
    }
  }
  for (const f of document.querySelectorAll('mfrac')) {
    const [p, q] = [...f.children].map(x => x.getBoundingClientRect());
    if (p.bottom > q.top + 1) wrong.push('a fraction that is not stacked');
  }
  let links = 0;
  for (const a of document.querySelectorAll('a')) {
    links++;
    const h = a.getAttribute('href') || '';
    if (!h.startsWith('#') || !document.getElementById(h.slice(1)))
      wrong.push('a link to nowhere: ' + h);
  }
  const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
  for (const i of ids)
    if (ids.filter(k => k === i).length > 1) wrong.push('id twice: ' + i);
  const e = document.documentElement;
  if (e.scrollWidth > e.clientWidth)
    wrong.push('wider than the window: ' + e.scrollWidth);
  const paper = getComputedStyle(document.body).backgroundColor;
  const ink = getComputedStyle(document.body).color;
  for (const p of document.querySelectorAll('math .changed')) {
    const bg = getComputedStyle(p).backgroundColor;
    if (bg === 'rgba(0, 0, 0, 0)' || bg === paper)
      wrong.push('a mark that cannot be seen');
  }
  document.querySelectorAll('details').forEach(d => d.open = false);
  return {wrong, maths: maths.length, links, paper, ink,
          marks: document.querySelectorAll('math .changed').length,
          height: e.scrollHeight};
})()"""


class Browser:
    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="check-html-")
        to_r, self.to = os.pipe()
        self.back, back_w = os.pipe()

        def pipes():
            # Both ends may be 3 or 4 already: aside first, then in place.
            r, w = os.dup(to_r), os.dup(back_w)
            r2, w2 = os.dup(r), os.dup(w)
            os.dup2(r2, 3)
            os.dup2(w2, 4)

        self.child = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-background-networking",
             "--user-data-dir=" + self.folder, "--remote-debugging-pipe",
             "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_r)
        os.close(back_w)
        self.number = 0
        self.rest = b""
        self.events = []

    def message(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise SystemExit("the browser does not answer")
            more = os.read(self.back, 1 << 16)
            if not more:
                raise SystemExit("the browser has ended")
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **params):
        self.number += 1
        m = {"id": self.number, "method": method, "params": params}
        if session:
            m["sessionId"] = session
        data = json.dumps(m).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            got = self.message(60)
            if got.get("id") == self.number:
                if "error" in got:
                    raise SystemExit(f"{method}: {got['error']['message']}")
                return got["result"]
            self.events.append(got)

    def wait(self, event):
        while not any(m.get("method") == event for m in self.events):
            self.events.append(self.message(60))

    def close(self):
        try:
            self.call("Browser.close")
            self.child.wait(20)
        except (SystemExit, subprocess.TimeoutExpired, OSError):
            self.child.kill()
            self.child.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def look(browser, session, url, width, scheme, shot):
    """What is wrong, and what was seen."""
    browser.call("Emulation.setDeviceMetricsOverride", session, width=width,
                 height=900, deviceScaleFactor=1, mobile=width < 500)
    browser.call("Emulation.setEmulatedMedia", session, features=[
        {"name": "prefers-color-scheme", "value": scheme}])
    browser.events.clear()
    browser.call("Page.navigate", session, url=url)
    browser.wait("Page.loadEventFired")
    seen = browser.call("Runtime.evaluate", session, expression=LOOK,
                        returnByValue=True)["result"]["value"]
    wrong = seen["wrong"]
    for m in browser.events:
        p = m.get("params", {})
        if m.get("method") == "Log.entryAdded":
            wrong.append("log: " + p["entry"]["text"])
        if m.get("method") == "Runtime.consoleAPICalled":
            wrong.append("console: " + json.dumps(p["args"]))
        if m.get("method") == "Runtime.exceptionThrown":
            wrong.append("exception: " + json.dumps(p["exceptionDetails"]))
        if m.get("method") == "Network.requestWillBeSent":
            asked = p["request"]["url"]
            if asked != url and not asked.startswith("data:"):
                wrong.append("asks for " + asked)
    if shot:
        data = browser.call("Page.captureScreenshot", session, format="png",
                            captureBeyondViewport=True, clip={
                                "x": 0, "y": 0, "width": width, "scale": 1,
                                "height": min(seen["height"], 4000)})["data"]
        shot.write_bytes(base64.b64decode(data))
    return seen


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--chromium", default="chromium")
    p.add_argument("--shots", type=pathlib.Path)
    p.add_argument("--maths", type=int, default=2)
    # For the check of the check: each page must be found wrong.
    p.add_argument("--wrong", action="store_true")
    p.add_argument("page", nargs="+", type=pathlib.Path)
    a = p.parse_args()
    if a.shots:
        a.shots.mkdir(parents=True, exist_ok=True)
    browser = Browser(a.chromium)
    bad = 0
    try:
        target = browser.call("Target.createTarget", url="about:blank")
        session = browser.call("Target.attachToTarget", flatten=True,
                               targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.call(domain + ".enable", session)
        for page in a.page:
            papers, wrong = {}, []
            for width in (360, 1280):
                for scheme in ("light", "dark"):
                    shot = a.shots and a.shots / f"{page.stem}-{width}-{scheme}.png"
                    seen = look(browser, session, page.resolve().as_uri(),
                                width, scheme, shot)
                    papers[scheme] = seen["paper"]
                    wrong += [f"{width} {scheme}: {w}" for w in seen["wrong"]]
                    if seen["maths"] < a.maths:
                        wrong.append(f"{width} {scheme}: no formulas")
            if papers["light"] == papers["dark"]:
                wrong.append("light and dark look the same")
            for w in wrong:
                if not a.wrong:
                    print(f"{page}: {w}", file=sys.stderr)
            bad += bool(wrong) != a.wrong
            if a.wrong and not wrong:
                print(f"{page}: nothing found wrong", file=sys.stderr)
            if not wrong:
                print(f"{page.name}: {seen['maths']} formulas, "
                      f"{seen['links']} links, {seen['marks']} marks")
    finally:
        browser.close()
    sys.exit(1 if bad else 0)


main()
