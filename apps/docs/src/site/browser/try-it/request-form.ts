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
 * @param body members that replace those of the example
 */
export function createRequestForm(
  contract: SiteContract,
  found: PathOperation,
  addSuggestions: AddSuggestions,
  body?: object,
): RequestForm {
  const { operation, method, path, parameters } = found;
  const controls = parameters.map((parameter) => {
    const { name, in: place, schema, required = false, description } = parameter;
    const example = (parameter as { example?: unknown }).example;
    // The authorization page shows an error to the user, so its parameters are not required by their schemas.
    const isRequired = required || /\bRequired\.$/.test(description.trim());
    const field = { id: `try-${place}-${name}`, name, schema, isRequired, description, example };
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
  const bodyControl =
    json &&
    createBodyControl(
      contract,
      json,
      body ? { ...(json.example as object), ...body } : json.example,
      addSuggestions,
    );

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
    const edited = current === form ? form.read() : json.read();
    if (current === form) json.write(edited ?? {});
    else if (edited !== undefined) form.write(edited); // Without valid JSON, the form keeps its values.
    current = current === form ? json : form;
    toggle.textContent = current === form ? "Edit as JSON" : "Back to the form";
    place.replaceChildren(current.element, toggle);
    place.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return { element: place, read: () => current.read() };
}
