/** Headers that a subscription adds to its deliveries, for example for an API gateway in front of the receiver. */
import type { Subscription } from "@parley/database";
import type { SecretBox } from "../secret-box.ts";

/** Headers that Parley or HTTP itself sets, in lower case. */
const reserved =
  /^(?:x-parley-.*|webhook-.*|proxy-.*|sec-.*|content-(?:type|length|encoding)|user-agent|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|date|traceparent|tracestate)$/;
/** A token of RFC 9110, section 5.6.2. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible ASCII characters, with spaces and tabs between them (RFC 9110, section 5.5). */
const headerValue = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;

/** Returns what is wrong with the headers, with the name of the header; undefined if they can be sent. */
export function customHeadersProblem(
  headers: Readonly<Record<string, string>>,
): { name: string; problem: string } | undefined {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    const lowerCase = name.toLowerCase();
    if (!headerName.test(name)) return { name, problem: "is not the name of an HTTP header" };
    if (reserved.test(lowerCase)) return { name, problem: "is reserved: Parley or HTTP sets this header" };
    if (names.has(lowerCase)) return { name, problem: "occurs twice: upper and lower case are the same" };
    if (!headerValue.test(value)) {
      return { name, problem: "must be visible ASCII characters, with spaces only between them" };
    }
    names.add(lowerCase);
  }
  return undefined;
}

/** Headers as they are stored: the values are secret, the names are not. */
export interface StoredHeaders {
  headers: Uint8Array<ArrayBuffer> | null;
  headerNames: string[];
}

/** Returns the columns of a subscription for its headers, or nothing if they are the same as before. */
export function changedHeaders(
  headers: Readonly<Record<string, string>>,
  before: Pick<Subscription, "headers" | "organizationId">,
  secretBox: SecretBox,
): StoredHeaders | undefined {
  return isStored(headers, before, secretBox)
    ? undefined
    : storeHeaders(headers, secretBox, before.organizationId);
}

function isStored(
  headers: Readonly<Record<string, string>>,
  { headers: stored, organizationId }: Pick<Subscription, "headers" | "organizationId">,
  secretBox: SecretBox,
): boolean {
  try {
    return textOf(headers) === (stored ? secretBox.decrypt(stored, organizationId) : "{}");
  } catch {
    return false; // No key decrypts them.
  }
}

/** Returns the columns of a subscription for its headers. Names are stored in lower case. */
export function storeHeaders(
  headers: Readonly<Record<string, string>>,
  secretBox: SecretBox,
  organizationId: string,
): StoredHeaders {
  const headerNames = Object.keys(headers).map((name) => name.toLowerCase());
  if (headerNames.length === 0) return { headers: null, headerNames };
  return { headers: secretBox.encrypt(textOf(headers), organizationId), headerNames };
}

function textOf(headers: Readonly<Record<string, string>>): string {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return JSON.stringify(Object.fromEntries(entries));
}
