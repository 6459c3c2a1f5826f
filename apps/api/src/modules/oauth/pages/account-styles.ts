/** What the account pages have beyond the questions of the authorization page: lists, longer forms, the way between them. */
export const accountStyles = `
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
