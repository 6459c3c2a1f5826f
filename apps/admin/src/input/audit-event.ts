import { InvalidArgumentError } from "@commander-js/extra-typings";
import { auditEvents } from "@parley/database";
import { several } from "./several.ts";

/**
 * Collects events and kinds of them (`client.*`): a misspelt one would look as if nothing had happened.
 *
 * @throws InvalidArgumentError
 */
export function eventsOrKinds(value: string, earlier?: string[]): string[] {
  const known = auditEvents.some((event) =>
    value.endsWith("*") ? event.startsWith(value.slice(0, -1)) : event === value,
  );
  if (known) return several(value, earlier);
  throw new InvalidArgumentError(`It must be one of ${auditEvents.join(", ")}, or a kind like client.*.`);
}
