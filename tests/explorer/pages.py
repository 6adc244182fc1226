"""Checks the pages of a folder that `rankwright site` wrote.

pages.py FOLDER [foreign]: every link leads to a file of the folder, and to an element
with that id; a page has only the elements and attributes that the explorer writes, no
script, style or handler in its text; elements are closed in order; ids are there once.
Prints the numbers of pages and links.
"""
import html.parser
import os
import re
import sys
import urllib.parse

VOID = {"meta", "link", "input", "br", "mspace"}
ELEMENTS = set("""html head title script body header nav ul ol li a main h1 h2 h3 p footer form
label span input select option button div section code pre details summary table thead tbody tr
th td dl dt dd i b em sub article small figure figcaption output math mrow mi mo mn mtext msub
munder msqrt mtable mtr mtd caption""".split()) | VOID
ATTRIBUTES = set("""lang charset name content rel href type src defer class id aria-label
aria-current aria-hidden role method action hidden value placeholder autocomplete selected scope
open data-suffix data-picture width movablelimits separator colspan tabindex title""".split())
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2028\u2029\x00-\x08\x0b-\x1f]")


class Page(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__(convert_charrefs=True)
        self.name, self.stack, self.links, self.ids, self.faults = name, [], [], set(), []

    def fault(self, text):
        self.faults.append(f"{self.name}:{self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attributes):
        if tag not in ELEMENTS:
            self.fault(f"element {tag}")
        for name, value in attributes:
            if name not in ATTRIBUTES:
                self.fault(f"attribute {name} of {tag}")
            if name in ("href", "src", "action"):
                self.links.append(value)
            if name == "id":
                if value in self.ids:
                    self.fault(f"id {value} twice")
                self.ids.add(value)
        if tag == "script" and "src" not in dict(attributes):
            self.fault("script in the text")
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.fault(f"</{tag}> closes nothing")

    def handle_comment(self, data):
        self.fault("comment")

    def handle_data(self, data):
        if self.stack and self.stack[-1] == "script" and data.strip():
            self.fault("script in the text")
        if HIDDEN.search(data):
            self.fault("hidden character")


def check(folder):
    pages, faults, links = {}, [], 0
    for at, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(at, name)
                page = Page(os.path.relpath(path, folder))
                page.feed(open(path, encoding="utf-8").read())
                page.close()
                if page.stack:
                    page.fault(f"{page.stack} stay open")
                pages[os.path.normpath(path)] = page
    for path, page in pages.items():
        for link in page.links:
            links += 1
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc or parts.path.startswith("/"):
                page.fault(f"link to {link}")
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path),
                                                   urllib.parse.unquote(parts.path))) \
                if parts.path else path
            if not target.startswith(os.path.normpath(folder)) or not os.path.isfile(target):
                page.fault(f"link to {link}: no file")
            elif parts.fragment and target in pages and \
                    urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                page.fault(f"link to {link}: no such id")
        faults += page.faults
    for line in faults[:20]:
        print(line)
    print(f"{len(pages)} pages, {links} links, {len(faults)} faults")
    return 1 if faults or not pages else 0


sys.exit(check(sys.argv[1]))
