/** Styles that only the account pages use: lists, longer forms, navigation. */
const accountStyles = `
body.wide { grid-template-columns: minmax(0, 44rem); place-content: start center; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 1.5rem; border-bottom: 1px solid var(--line); }
nav a { padding: .5rem 0; text-decoration: none; color: var(--quiet); border-bottom: 3px solid transparent; }
nav a:hover { color: var(--text); }
nav a[aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
h2 { margin: 0 0 .625rem; font-size: 1.0625rem; line-height: 1.3; }
footer { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
footer p { margin: 0; }
code { font: .875em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
ul.cards { list-style: none; margin: 0 0 1.25rem; padding: 0; display: grid; gap: 1rem; }
.card { padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .5rem; }
section { margin: 0 0 1.25rem; }
.card > :last-child, .card form > :last-child, .secret > :last-child { margin-bottom: 0; }
dl { margin: 0 0 1rem; display: grid; gap: .25rem; }
dl div { display: flex; flex-wrap: wrap; gap: 0 .75rem; }
dt { flex: 0 0 10rem; color: var(--quiet); }
dd { margin: 0; }
ul.lines { margin: 0 0 1rem; padding-left: 1.25rem; }
.notice { background: var(--good-page); color: var(--good); border-radius: .5rem; padding: .75rem 1rem; }
.secret { background: var(--good-page); border: 1px solid var(--good); border-radius: .5rem; padding: 1rem 1.25rem; }
.secret code { display: block; padding: .625rem .75rem; background: var(--card); border: 1px solid var(--field-line); border-radius: .5rem; user-select: all; }
.hint { margin: 0 0 .375rem; color: var(--quiet); font-size: .9375rem; }
.problem { margin: 0 0 .375rem; color: var(--alert); font-weight: 600; }
textarea, select {
  width: 100%; margin: 0 0 1rem; padding: .625rem .75rem; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--field-line); border-radius: .5rem;
}
textarea { resize: vertical; min-height: 5.5rem; font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
[aria-invalid] { border-color: var(--alert); box-shadow: inset 0 0 0 1px var(--alert); }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin: 0 0 .5rem; font-weight: 600; }
.option { display: grid; grid-template-columns: auto 1fr; align-items: baseline; column-gap: .625rem; }
.option input { width: auto; margin: 0; accent-color: var(--accent); }
.option label { margin: 0; font-weight: 400; }
.option .hint { grid-column: 2; }
a.button {
  display: inline-block; padding: .625rem 1rem; font-weight: 600; text-align: center; text-decoration: none;
  border: 1px solid var(--field-line); border-radius: .5rem; color: var(--text);
}
button.danger, a.button.danger { background: transparent; color: var(--alert); border-color: var(--alert); }
@media (max-width: 30rem) { .card, .secret { padding: .875rem 1rem; } dt { flex-basis: 100%; } dd { margin-bottom: .25rem; } }
`;

/** Stylesheet of all pages; the Content-Security-Policy contains its hash. Text has a contrast of at least 4.5:1 in both themes. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #fff; --line: #d5d9e0; --text: #1b2230; --quiet: #566074;
  --accent: #2a52be; --on-accent: #fff; --field: #fff; --field-line: #7c8698; --alert: #a5160d; --alert-page: #fdeceb; --good: #0b5f35; --good-page: #e6f4ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151b; --card: #1c212a; --line: #343c4a; --text: #e9ecf2; --quiet: #a9b3c4;
    --accent: #93b0ff; --on-accent: #0e1730; --field: #12151b; --field-line: #6f7b90; --alert: #ffb4ab; --alert-page: #3a1d1b; --good: #9fdcb8; --good-page: #15301f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; padding: 1.5rem 1rem; display: grid; place-content: center;
  grid-template-columns: minmax(0, 26rem); background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: clamp(1.25rem, 6vw, 2rem); overflow-wrap: anywhere; }
.brand { margin: 0 0 1.5rem; display: flex; align-items: center; gap: .5rem; font-weight: 600; color: var(--quiet); }
.brand svg { width: 1.5rem; height: 1.5rem; fill: var(--accent); flex: none; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0 0 1rem; }
.quiet { color: var(--quiet); font-size: .9375rem; }
.alert { background: var(--alert-page); color: var(--alert); border-radius: .5rem; padding: .75rem 1rem; }
label { display: block; margin: 0 0 .25rem; font-weight: 600; }
input {
  width: 100%; margin: 0 0 1rem; padding: .625rem .75rem; font: inherit; color: inherit;
  background: var(--field); border: 1px solid var(--field-line); border-radius: .5rem;
}
button { padding: .625rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid var(--accent); cursor: pointer; }
button.primary { background: var(--accent); color: var(--on-accent); }
button.secondary { background: transparent; color: var(--text); border-color: var(--field-line); }
button.link { margin-top: .25rem; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400; text-decoration: underline; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main > :last-child { margin-bottom: 0; }
.wide { width: 100%; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1.5rem; }
.account { margin: 1rem 0 1.25rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
.account p { margin: 0; }
.account form { margin: 0; }
ul.scopes { list-style: none; margin: .5rem 0 1.25rem; padding: 0; }
ul.scopes li { position: relative; padding: .375rem 0 .375rem 1.75rem; }
ul.scopes li::before {
  content: ""; position: absolute; left: .375rem; top: .7rem; width: .4rem; height: .75rem;
  border: solid var(--accent); border-width: 0 2px 2px 0; transform: rotate(45deg);
}
${accountStyles}`;
