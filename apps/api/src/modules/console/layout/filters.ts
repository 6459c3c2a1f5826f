import { eventTypes } from "@parley/contract";
import { field, type Html } from "@parley/ui";
import { invalidField } from "../../../http/api-error.ts";
import { filterTime, inputTime } from "./time.ts";

interface TimeRange {
  since: string | undefined;
  until: string | undefined;
}

/**
 * Returns the times of a filter as RFC 3339.
 *
 * @throws ApiError 400 if one is not a time
 */
export function timeRange(query: { since?: string | undefined; until?: string | undefined }): TimeRange {
  const time = (name: "since" | "until") => {
    const given = query[name];
    const parsed = filterTime(given);
    if (given !== undefined && parsed === undefined) {
      throw invalidField(name, "must be a date and time, for example 2026-03-01T09:00");
    }
    return parsed;
  };
  const range = { since: time("since"), until: time("until") };
  if (range.since !== undefined && range.until !== undefined && range.since >= range.until) {
    throw invalidField("until", "must be later than since");
  }
  return range;
}

/** Renders the fields of a range of times. */
export function timeFields({ since, until }: TimeRange): Html[] {
  const attributes = { type: "datetime-local" };
  return [
    field({ label: "From (UTC)", name: "since", value: inputTime(since), attributes }),
    field({ label: "Until (UTC)", name: "until", value: inputTime(until), attributes }),
  ];
}

/** Renders the field for an event type. */
export function eventTypeField(value: string | undefined): Html {
  const options = { "": "All", ...Object.fromEntries(eventTypes.map((type) => [type, type])) };
  return field({ label: "Event type", name: "event_type", value: value ?? "", options });
}

/** Renders the field for the ID of a record or an event. */
export function recordField(value: string | undefined): Html {
  const hints = { placeholder: "ID of a lead, ticket …", autocomplete: "off", spellcheck: "false" };
  return field({
    label: "Record or event ID",
    name: "record",
    value: value ?? "",
    attributes: { maxlength: 100, ...hints },
  });
}
