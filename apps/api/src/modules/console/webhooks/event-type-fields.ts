import { eventTypes } from "@parley/contract";
import { checkbox, choices, type Html, html } from "@parley/ui";
import { meaningOf } from "../events/catalogue.ts";

/**
 * Renders a checkbox for each event type, in groups. The script of the console adds a search field, which hides the others.
 *
 * @param selected names of the checked types
 */
export function eventTypeFields(selected: string[], problem: string | undefined): Html {
  const groups = Map.groupBy(eventTypes, (type) => type.split(".")[0] ?? "");
  const rows = [...groups].map(
    ([group, types]) =>
      html`<div class="checkboxes" role="group" aria-label="${group}">${types.map((type) =>
        checkbox({
          name: "event_types",
          value: type,
          label: html`<code>${type}</code>`,
          hint: meaningOf(type).title,
          checked: selected.includes(type),
        }),
      )}</div>`,
  );
  const legend = "Selected event types";
  return html`<div class="stack" data-search="Search event types">${choices({ legend, id: "event_types", problem }, rows)}</div>`;
}
