"""How a page looks: its style, that of its pictures, and the few lines that draw them."""

from __future__ import annotations

from typing import Any

STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --faint: #ddd; --soft: #666; --card: #f6f7f9;
  --good: #17692f; --quiet: #8a5a00; --bad: #b00020; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181c; --faint: #3a3d44;
  --soft: #a0a4ad; --card: #1f2228; --good: #6bd08a; --quiet: #f0b429; --bad: #ff7a85; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper); }
h1, h2, h3, p, figcaption { overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; padding-top: .8rem; border-top: 1px solid var(--faint); }
h3 { font-size: 1rem; margin: .4rem 0; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; }
td, th { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--faint); white-space: nowrap;
  vertical-align: top; font-variant-numeric: tabular-nums; }
td:first-child, th:first-child { text-align: left; padding-left: 0; white-space: normal;
  overflow-wrap: anywhere; min-width: 7rem; }
figure { margin: 1.4rem 0; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
td:last-child, th { white-space: normal; }
.chart.vega-embed { display: block; }
.chart { width: 100%; min-height: 6rem; }
.certificate { border-left: .3rem solid var(--faint); background: var(--card); padding: .4rem 1rem;
  margin: 1rem 0; }
.certificate p { margin: .4rem 0; }
.certificate p.small { color: var(--soft); font-size: 13px; }
.holds { border-color: var(--good); }
.silent { border-color: var(--quiet); }
.broken { border-color: var(--bad); }
pre { background: var(--card); padding: .5rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 600px) { body { margin: 1rem auto; } h1 { font-size: 1.35rem; } table { font-size: 13px; }
  td, th { padding: .2rem .35rem; } }
"""
LOOK: dict[str, Any] = {  # of the pictures, in the page and by themselves
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "gridOpacity": 0.35},
    "legend": {"labelFontSize": 13, "symbolSize": 130, "symbolStrokeWidth": 3, "columnPadding": 14},
    "view": {"stroke": None},
}
# The theme is chosen when the page is opened; a chart is drawn again when the reader changes it.
DRAW = """
const night = window.matchMedia("(prefers-color-scheme: dark)");
function draw() {
  const options = {actions: false, renderer: "svg", theme: night.matches ? "dark" : undefined,
    config: {background: "transparent", ...look}};
  return Promise.all(charts.map((spec, k) => vegaEmbed("#chart" + k, spec, options)));
}
night.addEventListener("change", draw);
draw().then(() => document.body.setAttribute("data-drawn", charts.length));
"""
