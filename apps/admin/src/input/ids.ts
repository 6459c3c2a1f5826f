import { InvalidArgumentError } from "@commander-js/extra-typings";
import { isUuid } from "@parley/database";

/** Parses the ID of an organization. @throws InvalidArgumentError */
export function organizationId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError("Must be an organization ID. List them: parley-admin organizations list");
}

/** Parses the ID of a grant. @throws InvalidArgumentError */
export function grantId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError("Must be a grant ID. List them: parley-admin grants list");
}
