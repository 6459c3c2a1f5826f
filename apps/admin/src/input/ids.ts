import { InvalidArgumentError } from "@commander-js/extra-typings";
import { isUuid } from "@parley/database";

/** @throws InvalidArgumentError */
export function organizationId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError("It must be an id: `parley-admin organizations list` shows them.");
}

/** @throws InvalidArgumentError */
export function grantId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError("It must be an id: `parley-admin grants list` shows them.");
}
