/** Public key as JWK (RFC 7517). Keys other than Ed25519 are ignored. */
export interface WebhookPublicKey {
  /** Key type: `OKP`. */
  readonly kty: string;
  /** Curve: `Ed25519`. */
  readonly crv?: string | undefined;
  /** The 32 bytes of the key in base64url. */
  readonly x?: string | undefined;
  /** ID of the key. */
  readonly kid?: string | undefined;
}

/** JWK Set: the body of the response of `public_keys_url`. */
export interface WebhookPublicKeySet {
  /** The keys, of which one must match. */
  readonly keys: readonly WebhookPublicKey[];
}

/** Source of public keys that loads them when they are needed. {@link webhookPublicKeys} creates one. */
export interface WebhookPublicKeySource {
  /** Returns the keys. Rejects if they cannot be loaded. */
  get(): Promise<readonly WebhookPublicKey[]>;
  /** Loads the keys again, because none of them matches. Returns the known keys if it is too early for that, or if it fails. */
  refresh(): Promise<readonly WebhookPublicKey[]>;
}

/** The public keys could not be loaded. `cause` is the reason. Respond with status 500 or 503, so that Parley retries the delivery. */
export class WebhookPublicKeysError extends Error {
  /** Name of the class. */
  override readonly name: string = "WebhookPublicKeysError";
}

/** Options of {@link webhookPublicKeys}. */
export interface WebhookPublicKeysOptions {
  /** Time for which loaded keys are used without loading them again, in milliseconds. Default: 300,000. */
  readonly maxAgeMs?: number | undefined;
  /** Shortest time between two requests, in milliseconds. Default: 10,000. */
  readonly minIntervalMs?: number | undefined;
  /** Timeout of a request, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Function that sends the request. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Function that returns a time in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** Time for which loaded keys are used while they cannot be loaded again. Not longer, because a leaked key may be among them. */
const staleMs = 3_600_000;

/**
 * Loads public keys from `public_keys_url` of a subscription, and caches them. Keys are loaded again after `maxAgeMs`, and when a
 * signature matches none of them, so that a rotation needs no restart. Senders of forged deliveries cause at most one request in
 * `minIntervalMs`. While the keys cannot be loaded, the known keys are used for up to an hour.
 *
 * @param url - HTTPS URL; HTTP only for this machine. Do not take it from a delivery
 * @throws TypeError if the URL is invalid
 *
 * @example
 * const publicKeys = webhookPublicKeys(publicKeysUrl);
 * async function receive(request: Request) {
 *   const payload = await request.text();
 *   return verifyWebhookWithPublicKey({ payload, headers: request.headers, publicKeys });
 * }
 * console.log(typeof receive);
 */
export function webhookPublicKeys(
  url: string | URL,
  options: WebhookPublicKeysOptions = {},
): WebhookPublicKeySource {
  const { maxAgeMs = 300_000, minIntervalMs = 10_000, timeoutMs = 5_000 } = options;
  const now = options.now ?? (() => performance.now());
  const address = safeUrl(url);
  let known: { keys: readonly WebhookPublicKey[]; at: number } | undefined;
  let request: Promise<readonly WebhookPublicKey[]> | undefined;
  let requestedAt = -Infinity;

  /** Sends a request, unless one is running or `minIntervalMs` has not passed. Then it resolves or rejects like the last one. */
  function load(): Promise<readonly WebhookPublicKey[]> {
    if (!request || now() - requestedAt >= minIntervalMs) {
      requestedAt = now();
      request = requestKeys(options.fetch ?? fetch, address, timeoutMs).then((keys) => {
        known = { keys, at: now() };
        return keys;
      });
    }
    return request;
  }

  function unlessStale(error: unknown): readonly WebhookPublicKey[] {
    if (known && now() - known.at < staleMs) return known.keys;
    throw error;
  }

  return {
    get: async () => (known && now() - known.at < maxAgeMs ? known.keys : load().catch(unlessStale)),
    refresh: () => load().catch(unlessStale),
  };
}

/** Returns the URL if no one on the network can change the response. */
function safeUrl(text: string | URL): string {
  const { protocol, hostname, href } = new URL(text);
  if (protocol === "https:") return href;
  if (protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)) return href;
  throw new TypeError("The URL of the public keys must begin with https://");
}

async function requestKeys(
  send: typeof globalThis.fetch,
  url: string,
  timeoutMs: number,
): Promise<readonly WebhookPublicKey[]> {
  try {
    const response = await send(url, {
      headers: { accept: "application/json", "cache-control": "no-cache" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    const { keys } = (await response.json()) as WebhookPublicKeySet;
    if (!Array.isArray(keys)) throw new Error("the response is not a JWK Set");
    return keys;
  } catch (cause) {
    throw new WebhookPublicKeysError(`The public keys could not be loaded from ${url}`, { cause });
  }
}
