/** The looks of the documentation page: one style sheet, light and dark by the reader's setting. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --ink: #1c2330;
  --soft: #566176;
  --paper: #ffffff;
  --panel: #f5f7fa;
  --line: #dfe4ec;
  --link: #1657b8;
  --get: #0b6b53;
  --post: #1657b8;
  --patch: #8a5300;
  --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8ef;
    --soft: #9aa5b8;
    --paper: #12161d;
    --panel: #1a202a;
    --line: #2c3543;
    --link: #84b4ff;
    --get: #5fd3b3;
    --post: #84b4ff;
    --patch: #f0b45c;
    --delete: #ff9a92;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.layout { display: grid; grid-template-columns: 19rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 2rem 1.25rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav h2 { font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 .4rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; padding: .18rem 0; color: inherit; text-decoration: none; align-items: baseline; }
nav li a:hover { color: var(--link); text-decoration: underline; }
nav .method { min-width: 3.3rem; font-size: .7rem; }
main { padding: 2rem 2.5rem 6rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.5rem; margin: 3.5rem 0 .25rem; }
h3 { font-size: 1.15rem; margin: 0 0 .25rem; }
h4 { font-size: .95rem; margin: 1.5rem 0 .4rem; }
p { margin: .4rem 0 .8rem; max-width: 46rem; }
.soft { color: var(--soft); }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; margin: .4rem 0; overflow-x: auto; }
.method { font: 700 .8rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; text-transform: uppercase; color: var(--get); }
.method.post { color: var(--post); } .method.patch { color: var(--patch); } .method.delete { color: var(--delete); }
.card { border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem 1.5rem; margin: 1.25rem 0; }
.endpoint { display: flex; flex-wrap: wrap; gap: .2rem .75rem; align-items: baseline; margin: .1rem 0 .6rem; max-width: none; }
.endpoint .soft { margin-left: auto; font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; color: var(--soft); font-size: .8rem; }
tbody th { font-weight: 500; white-space: nowrap; }
td p { margin: 0; }
td:nth-last-child(2) { min-width: 9rem; }
details { margin: .4rem 0; }
summary { cursor: pointer; width: fit-content; padding: .1rem 0; }
@media (max-width: 60rem) {
  .layout { display: block; }
  nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); padding: 1.25rem; }
  main { padding: 1.5rem 1.25rem 4rem; }
  .card { padding: 1rem; }
}
@media print { nav { display: none; } .layout { display: block; } .card { break-inside: avoid; } }
`;
