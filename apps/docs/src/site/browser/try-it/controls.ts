/** Form controls for the values of schemas. */
import type { Schema, SiteContract } from "../../contract.ts";
import { summaryOf } from "../../page.ts";
import { type AttributeValues, element } from "../element.ts";
import { flatten } from "./contract.ts";

/** Part of a form. */
export interface Control {
  readonly element: HTMLElement;
  /** Returns the value; undefined if the reader entered none. */
  read(): unknown;
  /** Shows a value. */
  write(value: unknown): void;
}

/** Parameter, or field of a body. */
export interface Field {
  /** ID of the element, unique in the page. */
  readonly id: string;
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly description: string;
  readonly example?: unknown;
}

/** Adds suggestions to the input of a field, such as IDs of records. */
export type AddSuggestions = (input: HTMLInputElement, name: string) => HTMLElement[];

const longestLine = 300;

/** Returns the control of a field. */
export function createControl(contract: SiteContract, field: Field, addSuggestions: AddSuggestions): Control {
  const schema = flatten(contract, field.schema);
  const types = [schema.type ?? []].flat();
  const items = schema.items && flatten(contract, schema.items);
  if (schema.properties) return objectControl(contract, field, schema, addSuggestions);
  if (schema.enum) return selectControl(field, schema.enum);
  if (items?.enum) return checkListControl(field, items.enum);
  if (types.includes("boolean")) return selectControl(field, [true, false]);
  if (types.includes("integer") || types.includes("number")) return numberControl(field, schema);
  if (types.includes("string")) return textControl(field, schema, addSuggestions);
  return jsonControl(field);
}

/** Returns a control for a value of any type, which the reader enters as JSON. */
export function jsonControl(field: Field): Control {
  const input = element("textarea", { rows: 6, spellcheck: "false", required: field.isRequired });
  const parse = () => (input.value.trim() === "" ? undefined : (JSON.parse(input.value) as unknown));
  input.addEventListener("input", () => {
    try {
      parse();
      input.setCustomValidity("");
    } catch (error) {
      input.setCustomValidity(`${field.name} must be JSON: ${(error as Error).message}`);
    }
  });
  return {
    element: labelled(field, input),
    read() {
      try {
        return parse();
      } catch {
        return undefined; // The form reports it.
      }
    },
    write(value) {
      input.value = value === undefined ? "" : JSON.stringify(value, null, 2);
      input.setCustomValidity("");
    },
  };
}

function objectControl(
  contract: SiteContract,
  { id, name, description }: Field,
  { properties = {}, required = [] }: Schema,
  addSuggestions: AddSuggestions,
): Control {
  const controls = Object.entries(properties).map(([member, schema]) => {
    const field: Field = {
      id: `${id}-${member}`,
      name: member,
      schema,
      isRequired: required.includes(member),
      description: schema.description ?? flatten(contract, schema).description ?? "",
    };
    return [member, createControl(contract, field, addSuggestions)] as const;
  });
  return {
    element: group(
      name,
      description,
      controls.map(([, control]) => control.element),
    ),
    read() {
      const values = controls.map(([member, control]) => [member, control.read()] as const);
      const entered = values.filter(([, value]) => value !== undefined);
      return entered.length === 0 ? undefined : Object.fromEntries(entered);
    },
    write(value) {
      const members = (value ?? {}) as Record<string, unknown>;
      for (const [member, control] of controls) control.write(members[member]);
    },
  };
}

/** Returns a group of controls with a heading. */
export function group(title: string, description: string, contents: HTMLElement[]): HTMLFieldSetElement {
  const hint = description ? [element("p", { class: "hint" }, summaryOf(description))] : [];
  return element("fieldset", {}, element("legend", {}, title), ...hint, ...contents);
}

function selectControl(field: Field, values: unknown[]): Control {
  const options = values.map((value) => element("option", {}, textOf(value)));
  const input = element(
    "select",
    { required: field.isRequired },
    element("option", { value: "" }),
    ...options,
  );
  return {
    element: labelled(field, input),
    read: () => values.find((value) => textOf(value) === input.value),
    write(value) {
      input.value = values.includes(value) ? textOf(value) : "";
    },
  };
}

function checkListControl({ id, name, description, isRequired }: Field, values: unknown[]): Control {
  const boxes = values.map((value) => element("input", { type: "checkbox", id: `${id}-${textOf(value)}` }));
  const rows = boxes.map((box, index) =>
    element("div", { class: "option" }, box, element("label", { for: box.id }, textOf(values[index]))),
  );
  const list = element(
    "div",
    { class: "check-list", tabindex: 0, role: "group", "aria-label": name },
    ...rows,
  );
  return {
    element: group(`${name}${isRequired ? " (required)" : ""}`, description, [list]),
    read() {
      const checked = values.filter((_, index) => boxes[index]?.checked);
      return checked.length === 0 ? undefined : checked;
    },
    write(value) {
      const checked = Array.isArray(value) ? value : [];
      for (const [index, box] of boxes.entries()) box.checked = checked.includes(values[index]);
    },
  };
}

function numberControl(field: Field, { minimum, maximum }: Schema): Control {
  const limits = { min: minimum, max: maximum, step: 1, placeholder: placeholderOf(field) };
  const input = element("input", { type: "number", required: field.isRequired, ...limits });
  return {
    element: labelled(field, input),
    read: () => (input.value === "" ? undefined : input.valueAsNumber),
    write(value) {
      input.value = typeof value === "number" ? String(value) : "";
    },
  };
}

function textControl(field: Field, schema: Schema, addSuggestions: AddSuggestions): Control {
  const { maxLength = 0, minLength, format } = schema;
  const attributes: AttributeValues = {
    required: field.isRequired,
    minlength: Number(minLength ?? 0) || undefined,
    maxlength: maxLength || undefined,
    placeholder: placeholderOf(field),
    spellcheck: "false",
    autocomplete: "off",
  };
  const isLong = maxLength > longestLine && format === undefined;
  const input = isLong
    ? element("textarea", { rows: 3, ...attributes })
    : element("input", { type: "text", ...attributes });
  const suggestions = input instanceof HTMLInputElement ? addSuggestions(input, field.name) : [];
  return {
    element: labelled(field, input, ...suggestions),
    read: () => (input.value === "" ? undefined : input.value),
    write(value) {
      // IDs of examples do not exist on this server.
      input.value = typeof value === "string" && format !== "uuid" ? value : "";
    },
  };
}

function placeholderOf({ example }: Field): string | undefined {
  return example === undefined ? undefined : `For example ${textOf(example)}`;
}

/** Returns a value as the reader enters it. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns an input with its label and description. */
function labelled({ id, name, description, isRequired }: Field, input: Input, ...others: HTMLElement[]) {
  input.id = id;
  const label = element("label", { for: id }, element("code", {}, name), isRequired ? " (required)" : "");
  const parts: HTMLElement[] = [label];
  if (description) {
    parts.push(element("p", { class: "hint", id: `${id}-hint` }, summaryOf(description)));
    input.setAttribute("aria-describedby", `${id}-hint`);
  }
  return element("div", { class: "field" }, ...parts, input, ...others);
}
