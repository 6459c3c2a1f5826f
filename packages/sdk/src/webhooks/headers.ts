import { WebhookVerificationError } from "./error.ts";

/** `Headers`, or a plain object such as Node's `request.headers`; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export const signatureHeader = "x-parley-signature";
export const timestampHeader = "x-parley-timestamp";

/** The header's value; a header that came twice is joined, and then refused as malformed by whoever reads it. */
export function requireHeader(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === "function"
      ? headers.get(name)
      : Object.entries(headers)
          .flatMap(([key, values]) => (key.toLowerCase() === name ? (values ?? []) : []))
          .join();
  if (!value) throw new WebhookVerificationError("missing_header", `Missing header: ${name}`, name);
  return value;
}
