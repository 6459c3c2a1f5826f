import { InvalidArgumentError } from "@commander-js/extra-typings";

/**
 * Collects headers of a repeatable option, such as `X-Api-Key: 3c1f9a52`.
 *
 * @throws InvalidArgumentError
 */
export function headerList(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^:\s]+):\s*(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('Must be a name and a value, such as "X-Api-Key: 3c1f9a52".');
  }
  return { ...earlier, [name]: value };
}
