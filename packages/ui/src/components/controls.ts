import { type Attributes, attributes, type Content, type Html, html } from "../html.ts";

interface ButtonOptions {
  /** Default: `primary`. */
  kind?: "primary" | "secondary" | "danger" | "link";
  /** Value of the form's field `action` when the button submits the form. */
  action?: string;
  /** Renders a link to this address instead of a button. */
  href?: string;
  /** ID of the element that says to what the button applies, if the label does not. */
  describedBy?: string;
  /** Uses the full width. */
  wide?: boolean;
  disabled?: boolean;
}

/**
 * Renders a button that submits its form, or a link that looks like a button.
 *
 * @example
 * button("Save", { action: "save" });
 * button("Cancel", { kind: "secondary", href: "/console/apps" });
 */
export function button(label: string, options: ButtonOptions = {}): Html {
  const { kind = "primary", action, href, describedBy, wide = false, disabled = false } = options;
  const shared = { class: `button ${kind}${wide ? " wide" : ""}`, "aria-describedby": describedBy };
  if (href !== undefined) return html`<a${attributes({ ...shared, href })}>${label}</a>`;
  const values = { ...shared, name: action === undefined ? undefined : "action", value: action, disabled };
  return html`<button${attributes(values)}>${label}</button>`;
}

interface Field {
  label: string;
  /** Name of the form field, and ID of the input. */
  name: string;
  hint?: Content;
  /** Why the value was rejected. */
  problem?: string | undefined;
  value?: string;
  /** Number of lines. Renders a text area in a monospace font. */
  rows?: number;
  /** Labels by value. Renders a select. An object lists values that are numbers first, a map keeps the order. */
  options?: Record<string, string> | Map<string, string>;
  /** ID of another element that describes the input. */
  describedBy?: string | undefined;
  /** Other attributes of the input, such as `type`, `autocomplete` and `required`. */
  attributes?: Attributes;
}

/**
 * Renders a label and its input, text area or select. Hint and problem are between them and describe the input.
 *
 * @example
 * field({ label: "Email", name: "email", value: "uma@example.com", attributes: { type: "email", required: true } });
 */
export function field({ label, name, hint, problem, value = "", rows, options, ...rest }: Field): Html {
  const [hintId, problemId] = [`${name}-hint`, `${name}-problem`];
  const isRejected = problem !== undefined;
  const describedBy = [rest.describedBy, hint !== undefined && hintId, isRejected && problemId].filter(
    Boolean,
  );
  const shared = attributes({
    id: name,
    name,
    ...rest.attributes,
    "aria-invalid": isRejected && "true",
    "aria-describedby": describedBy.length > 0 && describedBy.join(" "),
  });
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${hintId}">${hint}</p>`}
${isRejected && html`<p class="problem" role="alert" id="${problemId}">${problem}</p>`}
${control()}
</div>`;

  function control(): Html {
    // HTML parsers drop the first line break of a text area.
    if (rows !== undefined) return html`<textarea rows="${rows}"${shared}>\n${value}</textarea>`;
    if (!options) return html`<input value="${value}"${shared}>`;
    const entries = options instanceof Map ? [...options] : Object.entries(options);
    return html`<select${shared}>${entries.map(
      ([key, text]) => html`<option${attributes({ value: key, selected: key === value })}>${text}</option>`,
    )}</select>`;
  }
}

interface Option {
  value: string;
  label: string;
  hint?: Content;
}

/**
 * Renders radio buttons, one per row.
 *
 * @param selected value of the checked option
 * @param id prefix of the IDs, if a page has several with this name
 * @example
 * optionRows({ legend: "Format", name: "format", selected: "csv" }, [
 *   { value: "csv", label: "CSV", hint: "For spreadsheets." },
 *   { value: "json", label: "JSON" },
 * ]);
 */
export function optionRows(
  {
    legend,
    name,
    selected,
    id: group = name,
  }: { legend: string; name: string; selected: string; id?: string },
  options: Option[],
): Html {
  return html`<fieldset class="options">
<legend>${legend}</legend>
${options.map(({ value, label, hint }) => {
  const id = `${group}-${value}`;
  const describedBy = hint !== undefined && `${id}-hint`;
  return html`<div class="option">
<input type="radio"${attributes({ id, name, value, "aria-describedby": describedBy, checked: value === selected })}>
<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
})}
</fieldset>`;
}

interface Checkbox {
  name: string;
  /** Value that the form sends if it is checked. Default: `true`. */
  value?: string;
  label: Content;
  hint?: Content;
  checked?: boolean;
}

/**
 * Renders a checkbox.
 *
 * @example
 * checkbox({ name: "fill_gap", label: "Also send the events of the gap", hint: "38 events" });
 */
export function checkbox({ name, value = "true", label, hint, checked = false }: Checkbox): Html {
  const id = `${name}-${value}`;
  const describedBy = hint !== undefined && `${id}-hint`;
  return html`<div class="option">
<input type="checkbox"${attributes({ id, name, value, checked, "aria-describedby": describedBy })}>
<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

/** Renders a group of checkboxes or radio buttons with its name and, if its values were rejected, the reason. */
export function choices(
  { legend, id, problem, hint }: { legend: string; id: string; problem?: string | undefined; hint?: Content },
  options: Content[],
): Html {
  const describedBy = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(
    Boolean,
  );
  return html`<fieldset class="options"${attributes({ id, "aria-describedby": describedBy.length > 0 && describedBy.join(" ") })}>
<legend>${legend}</legend>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${problem !== undefined && html`<p class="problem" role="alert" id="${id}-problem">${problem}</p>`}
${options}
</fieldset>`;
}
