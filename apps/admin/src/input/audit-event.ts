import { InvalidArgumentError } from "@commander-js/extra-typings";
import { several } from "@parley/command-line";
import { auditEvents } from "@parley/database";

/**
 * Collects events and groups of events (`client.*`). Rejects unknown events, because an empty list would hide the
 * mistake.
 *
 * @throws InvalidArgumentError
 */
export function eventsOrGroups(value: string, earlier?: string[]): string[] {
  const known = auditEvents.some((event) =>
    value.endsWith("*") ? event.startsWith(value.slice(0, -1)) : event === value,
  );
  if (known) return several(value, earlier);
  throw new InvalidArgumentError(`Must be one of ${auditEvents.join(", ")}, or a group like client.*.`);
}
