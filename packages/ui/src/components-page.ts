import { type Brand, parleyBrand } from "./brand.ts";
import { columnChart, sparkline } from "./components/charts.ts";
import {
  alert,
  badge,
  card,
  cardList,
  checkList,
  codeBlock,
  descriptionList,
  emptyState,
  notice,
  secretBox,
  table,
  tabs,
  warning,
} from "./components/content.ts";
import { button, checkbox, choices, field, optionRows } from "./components/controls.ts";
import { disclosure, figures, filterForm, jsonBlock, pager } from "./components/data.ts";
import { type Content, type Html, html } from "./html.ts";
import { pageLayout } from "./page-layout.ts";

const longText =
  "A long name of an app, which needs more than one line on a phone, with_a_word_that_does_not_fit_into_a_line_of_a_small_window";
const emoji = "👩🏽‍💻 Chat 🇪🇺 <b>& leads</b>";
const arabic = "تصدير العملاء المحتملين";

/** Renders a page with every component in every state: empty, rejected, with long text, emoji, and from right to left. */
export function componentsPage(brand: Brand = parleyBrand): Html {
  const layout = {
    title: "Components",
    wide: true,
    header: tabs("Pages", { "#buttons": "Components", "#fields": "Other page" }, "#buttons"),
    footer: html`<p class="quiet">Footer</p>`,
    content: html`
<h1>Components</h1>
${card({ id: "buttons", title: "Buttons", content: buttons })}
${card({ id: "messages", title: "Messages", content: messages })}
${card({ id: "fields", title: "Fields", content: fields("first") })}
${card({ id: "content", title: "Content", content: content("second") })}
${card({ id: "data", title: "Numbers and lists", content: data("data") })}
${secretBox({ id: "secret", title: "Client secret", secret: "parley_cs_t-PP13W4Cx1WWIW0qsKH1VBrvOE8HLTzD0wIRmCbB1c" })}
${cardList(
  [arabic, emoji, longText].map((name, index) => ({
    id: `card-${index}`,
    title: html`<a href="#card-${index}">${name}</a>`,
    content: html`<p class="quiet">Server app, <code>parley_ci_71657fb8bc20164e095360c3</code></p>`,
  })),
)}
<div dir="rtl" lang="ar" class="stack">
${card({ id: "rtl", title: arabic, content: html`${buttons}${messages}${fields("third")}${content("fourth")}${data("fifth")}` })}
</div>`,
  };
  return pageLayout(layout, brand);
}

const texts: Content[] = ["Text", longText, emoji, arabic];

const buttons = html`
<div class="buttons">
${button("Primary")}
${button("Secondary", { kind: "secondary" })}
${button("Danger", { kind: "danger" })}
${button("Disabled", { disabled: true })}
${button("Link", { kind: "secondary", href: "#buttons" })}
${button("Looks like a link", { kind: "link" })}
${button(longText)}
${button(emoji, { kind: "secondary" })}
</div>
${button("Wide", { wide: true })}
<div class="choice">${button("Deny", { kind: "secondary" })}${button("Allow")}</div>`;

const messages = html`
${alert("Email or password is wrong.")}
${notice(html`The changes were saved. <a href="#messages">Show them</a>`)}
${warning("Your organization is on the Free plan, which has no API access.")}
${alert(longText)}
${emptyState("No apps yet.")}`;

/** @param set makes IDs unique */
function fields(set: string): Html {
  const name = (field: string) => `${set}-${field}`;
  return html`<form class="stack">
${field({ label: "Empty", name: name("empty"), hint: "Shown to your users.", attributes: { required: true } })}
${field({ label: "Email", name: name("email"), value: "uma@example.com", attributes: { type: "email" } })}
${field({ label: "Rejected", name: name("rejected"), value: emoji, problem: "A name has at most 10 characters." })}
${field({ label: longText, name: name("long"), value: longText, hint: longText, problem: longText })}
${field({ label: arabic, name: name("arabic"), value: arabic, attributes: { dir: "auto" } })}
${field({ label: "Text area", name: name("area"), rows: 3, value: `https://app.example.com/callback\n${longText}` })}
${field({ label: "Select", name: name("select"), value: "week", options: { day: "for 24 hours", week: "for 7 days" } })}
${optionRows({ legend: "Options", name: name("option"), selected: "server" }, [
  { value: "server", label: "It runs on a server", hint: "It gets a client secret." },
  { value: "long", label: longText, hint: longText },
])}
</form>`;
}

/** @param set makes IDs unique */
function data(set: string): Html {
  const series = [
    { name: "Delivered", kind: "good" as const, values: [1203, 0, 400, 380] },
    { name: "Failed, retried", kind: "warning" as const, values: [0, 0, 90, 12] },
    { name: longText, kind: "alert" as const, values: [2, 0, 0, 300] },
    { name: arabic, kind: "neutral" as const, values: [100, 0, 50, 20] },
  ];
  const labels = ["00:00", "01:00", "02:00", "03:00"];
  const chart = { description: "Four hours.", labelName: "Hour", labels };
  return html`
${figures([
  { label: "Successful attempts", value: "99.2 %", hint: "of 1,203 attempts" },
  { label: longText, value: emoji, hint: longText },
])}
${columnChart({ ...chart, id: `${set}-chart`, title: `Attempts ${set}`, series, limit: { name: "Limit", value: 1_000 } })}
${columnChart({ ...chart, id: `${set}-empty`, title: `Nothing ${set}`, series: [{ name: "Delivered", kind: "good", values: [0, 0, 0, 0] }] })}
<p>${sparkline({ label: `24 hours ${set}`, series })}</p>
${filterForm({ label: `Filter ${set}`, clear: "#data" }, [
  field({ label: "Status", name: `${set}-status`, options: { "": "All", failed: longText } }),
  field({ label: "From (UTC)", name: `${set}-since`, attributes: { type: "datetime-local" } }),
])}
${choices({ legend: "Choices", id: `${set}-choices`, problem: "Select one.", hint: "Of these." }, [
  checkbox({ name: `${set}-check`, label: "Checked", checked: true, hint: longText }),
  checkbox({ name: `${set}-other`, label: arabic }),
])}
${disclosure("Details", html`<p>${longText}</p>`, { open: true })}
${jsonBlock(JSON.stringify({ name: emoji, score: 40, phone: null, tags: [true, longText, arabic] }))}
${pager({ newest: "#data", older: "#data" })}`;
}

/** @param set makes IDs unique */
function content(set: string): Html {
  return html`
<p class="quiet" id="${set}-list">Quiet text, <code>code</code>, and <a href="#content">a link</a></p>
${checkList(texts, `${set}-list`)}
${descriptionList(texts.map((text, index) => [index === 0 ? longText : "Term", text]))}
<div class="buttons">
${badge("Neutral")}
${badge("Active", "good")}
${badge("Paused", "warning")}
${badge("Failed", "alert")}
${badge(longText)}
</div>
${table(
  `Table ${set}`,
  ["Name", "State", "Last used", "Requests"],
  texts.map((text) => [text, badge("Active", "good"), "22 November 2026", "1,000"]),
)}
${codeBlock(`curl --fail-with-body https://parley.example.com/api/v1/leads -H "Authorization: Bearer $PARLEY_TOKEN"`)}`;
}
