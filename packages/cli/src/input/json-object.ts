import { InvalidArgumentError } from "@commander-js/extra-typings";

/**
 * Parses a JSON object.
 *
 * @throws InvalidArgumentError
 */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The error below is the same for text that is not JSON and for other values.
  }
  throw new InvalidArgumentError('Must be a JSON object like {"attributes":{"score":91}}.');
}
