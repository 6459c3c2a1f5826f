import { type WebhookVerificationCode, WebhookVerificationError } from "./error.ts";

/** Headers of a delivery: `Headers`, or a plain object such as Node's `request.headers`. Names are case-insensitive. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export const signatureHeader = "x-parley-signature";
export const timestampHeader = "x-parley-timestamp";

type PlainHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the value of a header, or "" when it is missing. Values of a repeated header are joined with commas. */
export function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers?.get === "function") return headers.get(name) ?? "";
  const plain = headers as PlainHeaders;
  let value = "";
  for (const key in plain) {
    // Comparing the lengths first is faster.
    if (key.length === name.length && key.toLowerCase() === name)
      value += (value && ",") + String(plain[key] ?? "");
  }
  return value;
}

/**
 * Returns the value of a header that matches a pattern.
 *
 * @param malformed - error code for a header that does not match
 * @throws {@link WebhookVerificationError} if the header is missing or does not match
 */
export function readHeader(
  headers: WebhookHeaders,
  name: string,
  pattern: RegExp,
  malformed: WebhookVerificationCode,
): string {
  const value = headerOf(headers, name);
  if (pattern.test(value)) return value;
  const [code, what] = value ? ([malformed, "Malformed"] as const) : (["missing_header", "Missing"] as const);
  throw new WebhookVerificationError(code, `${what} header: ${name}`, name);
}
