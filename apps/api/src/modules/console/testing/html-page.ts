/** What a browser shows of an HTML page, and what its forms would send. */

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const inline = /<\/?(?:a|bdi|code|span|strong|em|time)\b[^>]*>/g;

/** Values of a form's fields by name, as a browser sends them. */
export type Fields = Record<string, string | string[]>;

export class HtmlPage {
  readonly html: string;
  /** Path and query. */
  readonly address: string;
  readonly status: number;

  constructor(html: string, address: string, status: number) {
    this.html = html;
    this.address = address;
    this.status = status;
  }

  /** Text that the page shows. */
  get text(): string {
    return textOf(this.html.replace(/<(script|style|head)\b[\s\S]*?<\/\1>/g, ""));
  }

  get heading(): string {
    return textOf(/<h1>([\s\S]*?)<\/h1>/.exec(this.html)?.[1] ?? "");
  }

  /** Returns the text of the element with an ID, if it has no element of the same name in it; undefined without one. */
  element(id: string): string | undefined {
    const [, , content] = new RegExp(`<(\\w+)[^>]* id="${id}"[^>]*>([\\s\\S]*?)</\\1>`).exec(this.html) ?? [];
    return content === undefined ? undefined : textOf(content);
  }

  /** Returns the reason at a field why its value was rejected. */
  problem(field: string): string | undefined {
    return this.element(`${field}-problem`);
  }

  /** Returns the text of the first element with a role. */
  role(name: "alert" | "status"): string | undefined {
    const [, , content] =
      new RegExp(`<(\\w+)[^>]* role="${name}"[^>]*>([\\s\\S]*?)</\\1>`).exec(this.html) ?? [];
    return content === undefined ? undefined : textOf(content);
  }

  /** Returns the rows of a table as texts of its cells. */
  rows(caption: string): string[][] {
    const table =
      this.html.split("<table>").find((part) => part.includes(`>${encode(caption)}</caption>`)) ?? "";
    const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(table)?.[1] ?? "";
    return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<td>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) => textOf(cell)),
    );
  }

  /** Returns the details of a term in a list of descriptions. */
  details(term: string): string | undefined {
    const [, details] = new RegExp(`<dt>${term}</dt><dd>([\\s\\S]*?)</dd>`).exec(this.html) ?? [];
    return details === undefined ? undefined : textOf(details);
  }

  /** Returns the address of the first link with a text. */
  link(text: string): string | undefined {
    const links = this.html.matchAll(/<a\b([^>]*)>([\s\S]*?)<\/a>/g);
    const found = [...links].find(([, , content = ""]) => textOf(content) === text);
    return found && attributesOf(found[1] ?? "")["href"];
  }

  /** Returns the addresses of all links, in order. */
  get links(): string[] {
    const links = this.html.matchAll(/<a\b([^>]*)>/g);
    return [...links].map(([, start = ""]) => attributesOf(start)["href"] ?? "");
  }

  /** Returns blocks of code, exactly. */
  get code(): string[] {
    const blocks = this.html.matchAll(/<pre class="code[^>]*><code>([\s\S]*?)<\/code><\/pre>/g);
    return [...blocks].map(([, code = ""]) => decode(code.replaceAll(/<[^>]*>/g, "")));
  }

  /**
   * Returns the fields of the form that has a button, and the address to which it is sent.
   *
   * @throws Error if the page has no such form
   */
  form(action: string): { address: string; fields: Fields } {
    const form = this.html
      .split("<form")
      .slice(1)
      .map((part) => part.split("</form>")[0] ?? "")
      .find((part) => part.includes(`name="action" value="${action}"`));
    if (form === undefined) throw new Error(`${this.address} has no button ${action}: ${this.text}`);
    const [start = ""] = form.split(">");
    return { address: attributesOf(start)["action"] ?? this.address, fields: { ...fieldsOf(form), action } };
  }
}

function fieldsOf(form: string): Fields {
  const found: [string, string][] = [];
  for (const [, start = ""] of form.matchAll(/<input\b([^>]*)>/g)) {
    const { name, type, value = "", checked } = attributesOf(start);
    const isSent = (type !== "checkbox" && type !== "radio") || checked !== undefined;
    if (name !== undefined && isSent) found.push([name, value]);
  }
  for (const [, start = "", options = ""] of form.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
    const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, option = ""]) => attributesOf(option));
    const selected = all.find((option) => option["selected"] !== undefined) ?? all[0];
    found.push([attributesOf(start)["name"] ?? "", selected?.["value"] ?? ""]);
  }
  for (const [, start = "", text = ""] of form.matchAll(/<textarea\b([^>]*)>\n?([\s\S]*?)<\/textarea>/g)) {
    found.push([attributesOf(start)["name"] ?? "", decode(text)]);
  }
  const byName = Map.groupBy(found, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/([\w-]+)(?:="([^"]*)")?/g);
  return Object.fromEntries([...found].map(([, name = "", value = ""]) => [name, decode(value)]));
}

function textOf(html: string): string {
  const text = html.replace(inline, "").replace(/<[^>]*>/g, " ");
  return decode(text)
    .replaceAll(/[\s\u00a0]+/g, " ")
    .trim();
}

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}

function encode(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#39;");
}
