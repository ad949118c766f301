# SPDX-License-Identifier: MIT
"""report.html in a real browser: nothing is requested, nothing is missing, it works without scripts, on paper, in the dark, by keyboard.

    html.py SOURCE FOLDPROOF FOLDPROOF_VERIFY
"""
import base64
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import check, finish
from chromium import Chromium

source, foldproof = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
LARGEST = 11_000  # bytes a claim: 3 MB for 270


def trouble(browser, page):
    """What a page did that it must not do: requests besides itself, and errors."""
    requests = [e["params"]["request"]["url"] for e in browser.events if e["method"] == "Network.requestWillBeSent"]
    errors = [e for e in browser.events if e["method"] in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")]
    return [url for url in requests if url != page.as_uri() and not url.startswith("data:")] + errors


def cards(browser):
    return browser.value("Array.from(document.querySelectorAll('article[data-verdict]'), a => [a.querySelector('code.id').textContent, a.dataset.verdict])")


def shown(browser):
    return browser.value("Array.from(document.querySelectorAll('article[data-verdict]')).filter(a => a.offsetParent).map(a => a.dataset.verdict)")


def expected(folder):
    return [[c["id"], c["verdict"]] for c in json.loads((folder / "report.json").read_text())["claims"]]


# In the order of the report: cards stand in groups of one file each, and so do claims.
def complete(browser, folder):
    return sorted(cards(browser)) == sorted(expected(folder)) and len(expected(folder)) > 0


CONTRAST = """(() => {
  const rgb = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = text => { const [r, g, b] = rgb(text).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; } return 'rgb(255,255,255)'; };
  let worst = [99, ''];
  for (const e of document.querySelectorAll('h1, h2, h3 a, h4, p, code, .verdict, .soft, summary, a, dt, dd, button, td, th')) {
    if (!e.offsetParent) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst[0]) worst = [ratio, e.outerHTML.slice(0, 120)];
  }
  return worst; })()"""

UNNAMED = """Array.from(document.querySelectorAll('button, input, select, a[href]')).filter(e =>
  !(e.textContent.trim() || e.getAttribute('aria-label'))).map(e => e.outerHTML.slice(0, 120))"""

LINKS = """Array.from(document.querySelectorAll('a[href]:not(.question a[rel=noreferrer])')).map(a => a.getAttribute('href')).filter(h => !h.startsWith('#') || !document.getElementById(h.slice(1)))"""

TWICE = """(() => { const seen = new Set(); return Array.from(document.querySelectorAll('[id]'), e => e.id).filter(id => seen.size === seen.add(id).size); })()"""


# Brackets around what is flat, and the height of the tallest in font sizes.
TALL = """(() => {
  const flat = Array.from(document.querySelectorAll('math mrow')).filter(r => r.children.length === 3 && /^[([]$/.test(r.children[0].textContent) && r.getClientRects().length && !r.querySelector('mfrac, munderover, mtable, msqrt'));
  return [flat.length, Math.max(...flat.map(r => r.children[0].getBoundingClientRect().height / parseFloat(getComputedStyle(r).fontSize)))]; })()"""


def whole_report(browser, catalogue):
    """The report of all claims, not tested: that part is looked at in the small report."""
    done = subprocess.run([foldproof, "check", "--cases", "0", "--out", catalogue], cwd=source, capture_output=True, timeout=600)
    page = catalogue / "report.html"
    check("a report of the catalogue is written", page.exists(), done.stderr[-300:])
    check("small enough", page.stat().st_size < LARGEST * len(expected(catalogue)), page.stat().st_size)
    browser.size(1280, 800)
    browser.scheme("light")
    browser.open(page.as_uri())
    check("no request, no error", not trouble(browser, page), trouble(browser, page))
    check("every claim has a card with its verdict", complete(browser, catalogue))
    check("links lead somewhere", browser.value(LINKS) == [], browser.value(LINKS))
    check("ids are unique", browser.value(TWICE) == [], browser.value(TWICE))
    check("controls have names", browser.value(UNNAMED) == [], browser.value(UNNAMED))
    check("formulas are MathML", browser.value("document.querySelectorAll('article math').length") > len(expected(catalogue)))
    questions = json.loads((source / "fixtures/questions.json").read_text())["questions"]
    answers = browser.value("Array.from(document.querySelectorAll('article.question b:first-of-type'), e => e.textContent)")
    plain = lambda texts: [re.sub("[_^]", "", text) for text in texts]
    check("every question is answered", plain(answers) == plain(q["answer"] for q in questions) and len(answers) >= 15, answers)
    raw = browser.value("Array.from(document.querySelectorAll('h3, p b'), e => e.textContent).filter(t => /(^|[^A-Za-z0-9_])[A-Za-z][_^][A-Za-z]/.test(t))")
    check("indices stand below and above their letters", raw == [] and browser.value("document.querySelectorAll('h3 sub').length") > 10, raw)
    check("longer names stay as they are", browser.value("Array.from(document.querySelectorAll('h3'), e => e.textContent).some(t => t.includes('in_proj_weight'))"))
    tall = browser.value(TALL)
    check("brackets are as tall as a line of text", tall[0] > 100 and tall[1] < 1.6, tall)
    check("what shows an answer is linked", browser.value("document.querySelectorAll('article.question .shown a').length") == sum(len(p["claims"]) for q in questions for p in q["parts"]))
    report = json.loads((catalogue / "report.json").read_text())
    first = browser.value("document.querySelector('header').innerText")
    for what, words in (("counts", [f"{report['counts'][v]} {v}" for v in ("proved", "refuted", "undecided", "invalid")]), ("digest", [report["digests"]["exact"]]),
                        ("command", [report["command"][0]])):
        check("first screen: " + what, all(word in re.sub(r"\s+", " ", first) for word in words), first)
    check("the first screen is one screen", browser.value("document.querySelector('header').getBoundingClientRect().bottom") <= 800)
    filters(browser, report)


def press(browser, verdict):
    browser.value(f"document.querySelector('button[data-verdict={verdict}]').click()")


def filters(browser, report):
    total = len(report["claims"])
    write = "(() => {{ const f = document.getElementById('filter'); f.value = {}; f.dispatchEvent(new Event('input')); }})()"
    check("without a filter all are shown", len(shown(browser)) == total)
    press(browser, "refuted")
    check("a verdict filters", shown(browser) == ["refuted"] * report["counts"]["refuted"], len(shown(browser)))
    press(browser, "refuted")
    wanted = report["claims"][len(report["claims"]) // 2]["id"]
    browser.value(write.format(json.dumps(wanted)))
    check("an id finds its card", 1 <= len(shown(browser)) < total and browser.value(f"document.getElementById('shown').textContent") == f"{len(shown(browser))} of {total} claims")
    browser.value(write.format(json.dumps("no claim has these words")))
    check("nothing matches nonsense", shown(browser) == [])
    browser.value(write.format("''"))
    check("an empty filter shows all again", len(shown(browser)) == total)


def by_keyboard(browser):
    browser.value("window.scrollTo(0, 0)")
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    check("the first Tab goes to the link that skips to the claims", browser.value("document.activeElement.className") == "skip")
    check("what has the focus is outlined", browser.value("getComputedStyle(document.activeElement).outlineStyle") != "none")


HOSTILE = [
    {"id": "<img src=x onerror=alert(1)>", "title": "</title><script>alert('title')</script>", "why": "a & b < c > d \"quoted\" 'single' \u202e \u0007",
     "source": "</style><link rel=stylesheet href=http://127.0.0.1:9/s.css>", "practice": "<iframe src=http://127.0.0.1:9/></iframe>",
     "lhs": "(X @ A) @ B", "rhs": "X @ (A @ B)", "expect": "proved"},
    {"id": "an id with spaces \" and quotes", "title": "A @ B is B @ A", "lhs": "A @ B", "rhs": "B @ A", "expect": "refuted", "nearest_true": "<b>no claim</b>"},
    {"id": "assumed", "vars": {"S": ["n", "n"], "c": ["n", 1]}, "assume": ["positive(c)"], "lhs": "abs(c) * S", "rhs": "c * S", "expect": "proved"},
    {"id": "typo", "lhs": "sofmax(A)", "rhs": "A", "expect": "invalid"},
    {"id": "wrong", "title": "Not as its file expects", "lhs": "A + B", "rhs": "B + A", "expect": "refuted"},
]


def hostile_report(browser, folder):
    (folder / "hostile.json").write_text(json.dumps(HOSTILE))
    done = subprocess.run([foldproof, "check", folder / "hostile.json", "--cases", "20", "--out", folder], capture_output=True, timeout=120)
    page = folder / "report.html"
    check("a report is written when something differs", done.returncode in (1, 2) and page.exists(), done.stderr[-300:])
    for scripts in (True, False):
        browser.scripts(scripts)
        for scheme in ("light", "dark"):
            browser.scheme(scheme)
            for width in (1280, 390):
                name = f"{'with' if scripts else 'without'} scripts, {scheme}, {width} wide: "
                browser.size(width, 844)
                browser.open(page.as_uri())
                check(name + "no request, no error", not trouble(browser, page), trouble(browser, page))
                check(name + "every claim is shown", complete(browser, folder) and len(shown(browser)) == len(HOSTILE))
                check(name + "nothing sticks out", browser.value("document.documentElement.scrollWidth <= innerWidth"))
                worst = browser.value(CONTRAST)
                check(name + "text has contrast", worst[0] >= 4.5, worst)
                check(name + "the filter needs scripts", browser.value("document.querySelector('.tools').offsetParent !== null") == scripts)
                ground = sum(map(int, re.findall(r"\d+", browser.value("getComputedStyle(document.body).backgroundColor"))[:3]))
                check(name + "the background follows the scheme", (ground > 600) == (scheme == "light"), ground)
    check("what a step changed is marked in its formula", browser.value("document.querySelectorAll('ol.chain math mrow.changed').length") >= 1)
    plot = json.loads((folder / "report.json").read_text())["claims"][0]["tests"]["formats"]
    check("the ratio over the size is plotted", browser.value("document.querySelectorAll('article svg.plot polyline').length") >= len(plot) and
          all(sum(n for _, n, _ in f["by_size"]) == f["cases"] - f["discarded"] - f["vacuous"] for f in plot), plot)
    check("text of claims stays text", browser.value("document.querySelectorAll('img, iframe, link[rel=stylesheet], article script, article b').length") == 0)
    check("a claim that is not as expected stands on the first screen", "Not as its file expects" in browser.value("document.querySelector('main section').innerText"))
    by_keyboard(browser)
    browser.scheme("light")
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    check("it prints", pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2, len(pdf))
    browser.call("Emulation.setEmulatedMedia", media="print")
    check("nothing is folded on paper", browser.value("Array.from(document.querySelectorAll('details > *:not(summary)')).every(e => e.checkVisibility() && e.getBoundingClientRect().height > 0)"))
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.scripts(True)
    return page


def explained(browser, folder):
    """`explain --html`: one page for one card, and for one question."""
    for what, words in (("two-projections-row", "Two projections in a row"), ("redundant-or-essential", "Redundant as a function")):
        page = folder / "card.html"
        page.write_bytes(subprocess.run([foldproof, "explain", "--html", what], cwd=source, capture_output=True, timeout=60).stdout)
        browser.open(page.as_uri())
        check(what + ": no request, no error", not trouble(browser, page), trouble(browser, page))
        check(what + ": the answer is there", words in browser.value("document.body.innerText"))
        check(what + ": no link leads nowhere", browser.value(LINKS) == [], browser.value(LINKS))


def can_fail(browser, folder, page):
    """The checks above see a damaged page."""
    text = page.read_text()
    damaged = folder / "damaged.html"
    damaged.write_text(re.sub(r"<meta http-equiv[^>]*>", "", text).replace("</main>", "<img src=http://127.0.0.1:9/x.png></main>"))
    browser.open(damaged.as_uri())
    check("a request is seen", trouble(browser, damaged))
    damaged.write_text(re.sub(r"<article .*?</article>", "", text, count=1, flags=re.S))
    browser.open(damaged.as_uri())
    check("a missing card is seen", not complete(browser, folder))
    damaged.write_text(text.replace("--soft: #57606b", "--soft: #b0b0b0").replace("--soft: #9ea7b3", "--soft: #404040"))
    browser.open(damaged.as_uri())
    check("pale text is seen", browser.value(CONTRAST)[0] < 4.5)


with tempfile.TemporaryDirectory() as name, Chromium() as browser:
    folder = pathlib.Path(name)
    whole_report(browser, folder / "catalogue")
    explained(browser, folder)
    can_fail(browser, folder, hostile_report(browser, folder))
finish("html", least=60)
