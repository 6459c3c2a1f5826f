import { expect, test } from "vitest";
import {
  alert,
  badge,
  button,
  card,
  cardList,
  checkbox,
  checkList,
  choices,
  codeBlock,
  columnChart,
  descriptionList,
  disclosure,
  emptyState,
  field,
  figures,
  filterForm,
  type Html,
  html,
  jsonBlock,
  notice,
  optionRows,
  pageLayout,
  pager,
  render,
  secretBox,
  sparkline,
  table,
  tabs,
  warning,
} from "./index.ts";

const evil = `"><script>alert('1')</script>&`;
const harmless = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";

test("html escapes values in text and attributes, and renders nothing for false, null and undefined", async () => {
  const items = [html`<li>${evil}</li>`, html`<li>${2}</li>`];
  expect(await render(html`<ul title="${evil}">${items}</ul>${false}${null}${undefined}`)).toBe(
    `<ul title="${harmless}"><li>${harmless}</li><li>2</li></ul>`,
  );
});

test("html escapes the results of promises", async () => {
  expect(await render(html`<p>${Promise.resolve(evil)}</p>`)).toBe(`<p>${harmless}</p>`);
});

const components: [name: string, rendered: Html][] = [
  ["alert", alert(evil, evil)],
  ["notice", notice(evil)],
  ["warning", warning(evil)],
  ["badge", badge(evil)],
  ["button", button(evil, { action: evil, describedBy: evil })],
  ["a button with an address", button(evil, { href: evil })],
  ["card", card({ id: evil, title: evil, content: evil })],
  ["cardList", cardList([{ id: evil, title: evil, content: evil }])],
  ["checkList", checkList([evil], evil)],
  ["codeBlock", codeBlock(evil)],
  ["checkbox", checkbox({ name: evil, value: evil, label: evil, hint: evil })],
  ["choices", choices({ legend: evil, id: evil, problem: evil, hint: evil }, [evil])],
  [
    "columnChart",
    columnChart({
      ...{ id: evil, title: evil, description: evil, labelName: evil, labels: [evil] },
      series: [{ name: evil, kind: "good", values: [1] }],
      limit: { name: evil, value: 1 },
    }),
  ],
  ["sparkline", sparkline({ label: evil, series: [] })],
  ["figures", figures([{ label: evil, value: evil, hint: evil }])],
  ["filterForm", filterForm({ label: evil, clear: evil }, [evil])],
  ["pager", pager({ newest: evil, older: evil })],
  ["disclosure", disclosure(evil, evil, { id: evil })],
  ["jsonBlock", jsonBlock(evil)],
  ["descriptionList", descriptionList([[evil, evil]])],
  ["emptyState", emptyState(evil)],
  ["an input", field({ label: evil, name: evil, hint: evil, problem: evil, value: evil, describedBy: evil })],
  ["an input with attributes", field({ label: "Name", name: "name", attributes: { title: evil } })],
  ["a text area", field({ label: evil, name: evil, value: evil, rows: 3 })],
  ["a select", field({ label: evil, name: evil, options: { [evil]: evil } })],
  [
    "optionRows",
    optionRows({ legend: evil, name: evil, selected: evil }, [{ value: evil, label: evil, hint: evil }]),
  ],
  ["secretBox", secretBox({ id: evil, title: evil, secret: evil })],
  ["table", table(evil, [evil], [[evil]])],
  ["tabs", tabs(evil, { [evil]: evil }, evil)],
  ["pageLayout", pageLayout({ title: evil, content: html`${evil}`, header: evil, footer: evil })],
];

test.each(components)("%s escapes every value", async (_name, rendered) => {
  const markup = await render(rendered);
  expect(markup).toContain(harmless);
  expect(markup).not.toContain("<script");
  expect(markup).not.toContain("'1'");
});

test("a rejected field refers to its hint and its problem", async () => {
  const markup = await render(field({ label: "Name", name: "name", hint: "Hint", problem: "Problem" }));
  expect(markup).toContain('aria-invalid="true" aria-describedby="name-hint name-problem"');
  expect(markup).toContain('<p class="problem" role="alert" id="name-problem">Problem</p>');
});

test("a field without hint and problem has no attributes for them", async () => {
  const markup = await render(
    field({ label: "Name", name: "name", attributes: { required: true, autofocus: false } }),
  );
  expect(markup).toContain('<input value="" id="name" name="name" required>');
});

test("a text area keeps the first line break of its value", async () => {
  expect(await render(field({ label: "Name", name: "name", value: "\nx", rows: 3 }))).toContain(
    ">\n\nx</textarea>",
  );
});

test("JSON is indented, and each value keeps its text", async () => {
  const markup = await render(jsonBlock(`{"a":"x \\" y","b":[1.5,null,true],"c":{}}`));
  const text = markup.replaceAll(/<[^>]+>/g, "").replaceAll("&quot;", '"');
  expect(text).toBe(JSON.stringify({ a: 'x " y', b: [1.5, null, true], c: {} }, null, 2));
  expect(markup).toContain('<span class="name">&quot;a&quot;</span>');
});

test("a chart has a table with the same values, and its columns are in proportion to them", async () => {
  const chart = columnChart({
    ...{ id: "c", title: "Sent", description: "Two hours.", labelName: "Hour", labels: ["1", "2"] },
    series: [
      { name: "Delivered", kind: "good", values: [3, 1] },
      { name: "Failed", kind: "alert", values: [1, 0] },
    ],
  });
  const markup = await render(chart);
  const heights = [...markup.matchAll(/<rect[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)].map(
    ([, y, height]) => [y, height],
  );
  expect(heights).toEqual([
    ["25", "75"],
    ["75", "25"],
    ["0", "25"],
  ]);
  expect(markup).toContain("<tr><td>1</td><td>3</td><td>1</td></tr>");
});

test("JSON of more than 50,000 characters is shown as it is", async () => {
  const text = JSON.stringify(Array.from({ length: 25_001 }, () => 1));
  expect(await render(jsonBlock(text))).toBe(`<pre class="code" tabindex="0"><code>${text}</code></pre>`);
});
