// SPDX-License-Identifier: MIT
#include "report/html_page.hpp"

namespace foldproof::report {

const char* const page_style = R"css(
:root { color-scheme: light dark; --page: #f6f7f8; --card: #fff; --ink: #1b1f24; --soft: #57606b; --line: #d9dde2; --link: #1a56b0;
  --proved: #146c36; --proved-b: #e2f4e8; --refuted: #a12c1b; --refuted-b: #fce8e4; --undecided: #775600; --undecided-b: #fbf0cd;
  --invalid: #663a9e; --invalid-b: #f0e8fa; --mark: #fff1b8; --s1: #1a56b0; --s2: #b5520a; --s3: #146c36; --s4: #8a2d86; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #131519; --card: #1b1e24; --ink: #e3e6ea; --soft: #9ea7b3; --line: #333943; --link: #82b4ff;
  --proved: #7ddb9a; --proved-b: #143021; --refuted: #ff9f8d; --refuted-b: #3a1b16; --undecided: #efcc6a; --undecided-b: #352c10;
  --invalid: #cfb2f6; --invalid-b: #2b2140; --mark: #574a10; --s1: #82b4ff; --s2: #ffb070; --s3: #7ddb9a; --s4: #f0a0ec; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 64rem; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .4rem; } h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; } h3 { font-size: 1.08rem; line-height: 1.35; margin: 0; }
h4 { font-size: .88rem; color: var(--soft); margin: 1.1rem 0 .3rem; }
p { margin: .5rem 0; max-width: 46rem; } a { color: var(--link); } a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre, .mono { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: .86em; }
pre { background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .75rem; margin: .4rem 0; overflow-x: auto; white-space: pre-wrap; }
.soft { color: var(--soft); } .skip { position: absolute; left: -999rem; } .skip:focus { left: 1rem; }
.bar { display: flex; height: .9rem; border-radius: 5px; overflow: hidden; margin: 1rem 0 .6rem; background: var(--line); gap: 2px; }
.bar span { min-width: 3px; } .bar .proved, .bar .refuted, .bar .undecided, .bar .invalid { background: currentColor; border: 0; padding: 0; border-radius: 0; }
.counts { display: flex; flex-wrap: wrap; gap: .5rem 1.6rem; margin: 0 0 .8rem; padding: 0; list-style: none; } .counts b { font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1rem; margin: .8rem 0; } .facts dt { color: var(--soft); } .facts dd { margin: 0; }
.proved { color: var(--proved); } .refuted { color: var(--refuted); } .undecided { color: var(--undecided); } .invalid { color: var(--invalid); }
.verdict { display: inline-block; font-size: .78rem; font-weight: 700; padding: .12rem .55rem; border-radius: 99px; border: 1px solid currentColor; white-space: nowrap; }
.verdict.proved { background: var(--proved-b); } .verdict.refuted { background: var(--refuted-b); } .verdict.undecided { background: var(--undecided-b); } .verdict.invalid { background: var(--invalid-b); }
.card { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 8px; padding: 1rem 1.15rem; margin: .9rem 0; }
.card.is-proved { border-left-color: var(--proved); } .card.is-refuted { border-left-color: var(--refuted); } .card.is-undecided { border-left-color: var(--undecided); } .card.is-invalid { border-left-color: var(--invalid); }
.card > header { display: flex; flex-wrap: wrap; gap: .3rem .7rem; align-items: baseline; } .card > header h3 { flex: 1 1 20rem; } .card > header a { color: inherit; text-decoration: none; } .card > header a:hover { text-decoration: underline; }
.id { color: var(--soft); font-size: .8rem; }
.sides { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: center; margin: .9rem 0 .6rem; font-size: 1.16rem; overflow-x: auto; overflow-y: hidden; padding: .4rem 0; } .sides .if { flex-basis: 100%; font-size: 1rem; color: var(--soft); }
math { font-family: "Latin Modern Math", "STIX Two Math", "Cambria Math", "Noto Sans Math", "Libertinus Math", math, serif; font-size: 1.05em; line-height: 1.1; } munderover > :nth-child(2) { padding-top: .15em; } munderover > :nth-child(3) { padding-bottom: .15em; } mtd.differs { background: var(--mark); outline: 2px solid var(--refuted); }
.example { display: flex; flex-wrap: wrap; gap: .7rem 1.5rem; align-items: center; margin: .5rem 0; overflow-x: auto; overflow-y: hidden; padding: .35rem .15rem; } .outcome { border-top: 1px solid var(--line); padding-top: .6rem; }
ol.steps { margin: .4rem 0; padding-left: 1.6rem; } ol.chain { list-style: none; padding: 0; margin: .4rem 0; } ol.chain li { display: flex; flex-wrap: wrap; gap: .2rem .8rem; align-items: center; margin: .2rem 0; padding: .3rem 0; font-size: 1.06rem; overflow-x: auto; overflow-y: hidden; } ol.chain li:first-child { padding-left: 1.4em; } mrow.changed { background: var(--mark); }
ol.steps li { margin: .45rem 0; } .law { display: block; color: var(--soft); font-size: .88rem; } mark { background: var(--mark); color: inherit; border-radius: 3px; padding: 0 .12em; }
ul.shown { list-style: none; padding: 0; margin: .3rem 0; } ul.shown li { margin: .25rem 0; } .card.question { border-left-color: var(--link); }
ul.plain { margin: .3rem 0; padding-left: 1.2rem; }
table { border-collapse: collapse; margin: .4rem 0; font-variant-numeric: tabular-nums; } th, td { text-align: left; padding: .22rem .9rem .22rem 0; border-bottom: 1px solid var(--line); vertical-align: top; } th { font-weight: 600; color: var(--soft); font-size: .85rem; } th[scope=row] { white-space: nowrap; } td.num, th.num { text-align: right; }
.scroll { overflow-x: auto; } details { margin: .55rem 0 0; } summary { cursor: pointer; color: var(--link); width: fit-content; }
.warning { background: var(--refuted-b); color: var(--refuted); border: 1px solid currentColor; border-radius: 6px; padding: .5rem .8rem; }
.links { display: flex; flex-wrap: wrap; gap: .35rem .9rem; padding: 0; margin: .4rem 0; list-style: none; } .index { columns: 19rem; padding: 0; margin: .5rem 0; list-style: none; font-size: .93rem; } .index li { break-inside: avoid; margin: .18rem 0; padding-left: 1.2em; text-indent: -1.2em; }
.tools { display: none; flex-wrap: wrap; gap: .6rem; align-items: center; margin: .8rem 0; } .scripted .tools { display: flex; }
.tools input, .tools select, .tools button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .6rem; } .tools input { flex: 1 1 15rem; min-width: 0; } .tools button[aria-pressed=true] { background: var(--link); color: var(--page); border-color: var(--link); }
svg.plot { display: block; width: 100%; max-width: 34rem; height: auto; } svg.plot text { font: 11px system-ui, sans-serif; fill: var(--soft); } .plot .axis { stroke: var(--line); } .plot .bound { stroke: var(--refuted); stroke-dasharray: 5 4; }
.s1 { color: var(--s1); } .s2 { color: var(--s2); } .s3 { color: var(--s3); } .s4 { color: var(--s4); } .s5 { color: var(--soft); } .s6 { color: var(--refuted); } .plot polyline { fill: none; stroke: currentColor; stroke-width: 1.6; } .plot circle, .plot path, .plot rect { fill: currentColor; }
[hidden] { display: none !important; }
@media (max-width: 34rem) { body { padding: 1rem .7rem 3rem; } .card { padding: .8rem .8rem; } .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .5rem; } .sides { font-size: 1.05rem; } .counts { gap: .3rem 1.1rem; } }
@media print { :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; } body { max-width: none; padding: 0; font-size: 10pt; } .tools, .skip, .scripted .tools { display: none; }
  .card { break-inside: avoid-page; } details::details-content { content-visibility: visible; display: block; block-size: auto; } summary { list-style: none; font-weight: 600; color: inherit; } a { color: inherit; } pre, .sides, .example, .scroll { overflow: visible; } }
)css";

const char* const page_script = R"js(
(function () {
  "use strict";
  document.documentElement.classList.add("scripted");
  var query = document.getElementById("filter"), family = document.getElementById("family"), shown = document.getElementById("shown");
  var buttons = Array.prototype.slice.call(document.querySelectorAll("button[data-verdict]"));
  var cards = Array.prototype.slice.call(document.querySelectorAll("article[data-verdict]"));
  var texts = cards.map(function (card) { return card.dataset.text.toLowerCase(); });
  function apply() {
    var words = query.value.toLowerCase().split(/\s+/).filter(Boolean), pressed = buttons.filter(function (b) { return b.getAttribute("aria-pressed") === "true"; });
    var count = 0;
    cards.forEach(function (card, i) {
      var match = words.every(function (word) { return texts[i].indexOf(word) >= 0; }) && (family.value === "" || card.dataset.family === family.value) &&
        (pressed.length === 0 || pressed.some(function (b) { return b.dataset.verdict === card.dataset.verdict || (b.dataset.verdict === "attention" && card.dataset.attention); }));
      card.hidden = !match;
      if (match) count += 1;
      var entry = document.querySelector('.index a[href="#' + card.id + '"]');
      if (entry) entry.parentNode.hidden = !match;
    });
    Array.prototype.forEach.call(document.querySelectorAll("section.family"), function (section) { section.hidden = !section.querySelector("article:not([hidden])"); });
    shown.textContent = count + " of " + cards.length + " claims";
  }
  query.addEventListener("input", apply);
  family.addEventListener("change", apply);
  buttons.forEach(function (button) { button.addEventListener("click", function () { button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true"); apply(); }); });
  // A link to a card that the filter hides shows it again.
  window.addEventListener("hashchange", function () {
    var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) { query.value = ""; family.value = ""; buttons.forEach(function (b) { b.setAttribute("aria-pressed", "false"); }); apply(); target.scrollIntoView(); }
  });
  window.addEventListener("beforeprint", function () { Array.prototype.forEach.call(document.querySelectorAll("details"), function (d) { d.open = true; }); });
  apply();
})();
)js";

}  // namespace foldproof::report
