import type { PathOperation, SiteContract } from "../../contract.ts";
import { element } from "../element.ts";
import { accessToken } from "./authorization.ts";
import { listPathOf } from "./contract.ts";
import type { AddSuggestions } from "./controls.ts";

let lists = 0;

interface Listed {
  id: string;
  attributes?: Record<string, unknown>;
  [member: string]: unknown;
}

interface SuggestedInput {
  readonly input: HTMLInputElement;
  readonly options: HTMLDataListElement;
  /** Path of the list with the records. */
  readonly list: string;
}

/** Suggestions for the IDs in a form, from the records of the reader's organization. */
export interface Suggestions {
  /** Adds the suggestions to an input, if its value is the ID of a record that can be listed. */
  readonly add: AddSuggestions;
  /** Enters the first suggestion in each required input that is empty. Returns the lists without any record. */
  fill(): Promise<string[]>;
}

/** Creates the suggestions for the form of an operation. */
export function createSuggestions(contract: SiteContract, { path, method }: PathOperation): Suggestions {
  const suggested: SuggestedInput[] = [];
  return {
    add(input, name) {
      const list = listPathOf(contract, path, name);
      if (list === undefined) return [];
      const options = element("datalist", { id: `try-suggestions-${lists++}` });
      input.setAttribute("list", options.id);
      suggested.push({ input, options, list });
      input.addEventListener("focus", () => void loadOptions({ input, options, list }));
      return [options];
    },
    async fill() {
      if (method === "DELETE") return []; // What is deleted is for the reader to choose.
      const empty: string[] = [];
      for (const each of suggested) {
        if (!each.input.required || each.input.value !== "") continue;
        const records = await loadOptions(each);
        const [first] = records ?? [];
        if (first && each.input.value === "") each.input.value = first.id;
        if (!records || first) continue;
        each.input.placeholder = `There is no ${nounOf(each.list)} yet. Create one first.`;
        empty.push(each.list);
      }
      return empty;
    },
  };
}

/** Shows the records as options. Returns them; undefined if they could not be listed. */
async function loadOptions({ input, options, list }: SuggestedInput): Promise<Listed[] | undefined> {
  const address = withValues(list, input.form);
  const records = address === undefined ? undefined : await listRecords(address);
  options.replaceChildren(
    ...(records ?? []).map((record) => element("option", { value: record.id }, describe(record))),
  );
  return records;
}

/** Replaces the path parameters of a list by the values of the form; undefined if one is missing. */
function withValues(path: string, form: HTMLFormElement | null): string | undefined {
  const values = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const input = form?.querySelector<HTMLInputElement>(`#try-path-${name}`);
    return [name, input?.value] as const;
  });
  if (values.some(([, value]) => !value)) return undefined;
  return values.reduce(
    (address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(value ?? "")),
    path,
  );
}

/** Returns the noun for the records of a list, for example `lead` for `/api/v1/leads`. */
function nounOf(list: string): string {
  const noun =
    list
      .split("/")
      .at(-1)
      ?.replace(/(ie)?s$/, (_, ie) => (ie ? "y" : "")) ?? "";
  return noun === "webhook" ? "webhook subscription" : noun;
}

/** Returns the first page of a list; undefined if the reader may not read it. */
async function listRecords(address: string): Promise<Listed[] | undefined> {
  const token = await accessToken();
  if (token === undefined) return undefined;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(address, { headers, credentials: "omit" }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const { data } = (await response.json()) as { data: Listed[] };
  return data;
}

/** Returns what distinguishes a record for a person. */
function describe({ attributes, ...own }: Listed): string {
  const values = { ...own, ...attributes } as Record<string, unknown>;
  const person = (values["contact"] ?? values["visitor"]) as { name?: string; email?: string } | undefined;
  const { name, subject, title, target_url: url, event_type: event, type } = values;
  const text = name ?? subject ?? title ?? person?.name ?? person?.email ?? url ?? event ?? type;
  return typeof text === "string" ? text : "";
}
