import { type WebhookVerificationCode, WebhookVerificationError } from "./error.ts";

/** `Headers`, or a plain object such as Node's `request.headers`; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export const signatureHeader = "x-parley-signature";
export const timestampHeader = "x-parley-timestamp";

type PlainHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header's value, empty where there is none. One that came twice is joined. */
export function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers?.get === "function") return headers.get(name) ?? "";
  const plain = headers as PlainHeaders;
  let value = "";
  for (const key in plain) {
    // The length first: it is quicker than the case.
    if (key.length === name.length && key.toLowerCase() === name)
      value += (value && ",") + String(plain[key] ?? "");
  }
  return value;
}

/**
 * A header of a form.
 *
 * @param malformed - the code of a header that is there, but not of this form
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
