import type { Call } from "../../../calls.ts";
import type { PathOperation, Schema, SiteContract } from "../../contract.ts";
import { element } from "../element.ts";
import { flatten, jsonBodyOf } from "./contract.ts";
import { type AddSuggestions, type Control, createControl, group, jsonControl } from "./controls.ts";

/** Form for the parameters and the body of an operation. */
export interface RequestForm {
  readonly elements: HTMLElement[];
  /** Returns the request with the values that the reader entered. */
  read(): Call;
}

const places: [place: string, title: string][] = [
  ["path", "Path parameters"],
  ["query", "Query parameters"],
  ["header", "Headers"],
];

/**
 * Creates the form. The body contains the values of the contract's example.
 *
 * @param body values that replace the example
 */
export function createRequestForm(
  contract: SiteContract,
  found: PathOperation,
  addSuggestions: AddSuggestions,
  body?: unknown,
): RequestForm {
  const { operation, method, path, parameters } = found;
  const controls = parameters.map((parameter) => {
    const { name, in: place, schema, required = false, description } = parameter;
    const example = (parameter as { example?: unknown }).example;
    const field = { id: `try-${place}-${name}`, name, schema, isRequired: required, description, example };
    return { place, name, control: createControl(contract, field, addSuggestions) };
  });
  const valuesIn = (place: string) =>
    controls
      .filter((each) => each.place === place)
      .map(({ name, control }) => [name, control.read()] as const);
  const entered = (place: string) =>
    Object.fromEntries(valuesIn(place).filter(([, value]) => value !== undefined));
  const groups = places.flatMap(([place, title]) => {
    const contents = controls.filter((each) => each.place === place).map(({ control }) => control.element);
    return contents.length === 0 ? [] : [group(title, "", contents)];
  });
  const json = jsonBodyOf(found);
  const bodyControl = json && createBodyControl(contract, json, body ?? json.example, addSuggestions);

  return {
    elements: bodyControl ? [...groups, bodyControl.element] : groups,
    read: () => ({
      operationId: operation.operationId,
      method: method.toLowerCase(),
      path,
      // Without a value, the samples show the name.
      ids: Object.fromEntries(
        valuesIn("path").map(([name, value]) => [
          name,
          typeof value === "string" ? value : name.toUpperCase(),
        ]),
      ),
      query: entered("query"),
      headers: Object.fromEntries(
        Object.entries(entered("header")).map(([name, value]) => [name, String(value)]),
      ),
      body: bodyControl?.read(),
      scheme: operation.security?.flatMap((scheme) => Object.keys(scheme))[0],
    }),
  };
}

/** Returns a control that shows a form for the fields of the body, and JSON if the reader prefers it. */
function createBodyControl(
  contract: SiteContract,
  { schema }: { schema: Schema },
  initial: unknown,
  addSuggestions: AddSuggestions,
): Pick<Control, "element" | "read"> {
  const field = { id: "try-body", name: "Body", schema, isRequired: false, description: "" };
  const json = jsonControl(field);
  if (!flatten(contract, schema).properties) {
    json.write(initial);
    return { element: group("Body", "", [json.element]), read: () => json.read() };
  }
  const form = createControl(contract, field, addSuggestions);
  form.write(initial);
  let current = form;
  const toggle = element("button", { type: "button", class: "button link" }, "Edit as JSON");
  const place = element("div", { class: "stack" }, form.element, toggle);
  toggle.addEventListener("click", () => {
    // The form cannot show every JSON value, so it returns to the values it had.
    if (current === form) json.write(form.read() ?? {});
    current = current === form ? json : form;
    toggle.textContent = current === form ? "Edit as JSON" : "Back to the form";
    place.replaceChildren(current.element, toggle);
    place.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return { element: place, read: () => current.read() };
}
