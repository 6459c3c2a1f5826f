import type { FastifyInstance, FastifyServerOptions } from "fastify";
import { z } from "zod";

type TrustProxy = NonNullable<FastifyServerOptions["trustProxy"]>;

/** A range of `/0` would trust every client. */
const addresses = z.array(
  z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((range) => !range.endsWith("/0")),
);

/**
 * Parses TRUST_PROXY into Fastify's option `trustProxy`, which says whose `X-Forwarded-For` is trusted (RFC 9700
 * section 4.13). The value is none, a number of proxies, or the addresses of proxies.
 */
export const trustedProxies = z.string().transform((text, context): TrustProxy => {
  if (text === "false" || text === "0") return false;
  const proxies = text === "true" ? 1 : /^[1-9]$/.test(text) ? Number(text) : undefined;
  if (proxies !== undefined) return (_address, hop) => hop < proxies;
  const list = addresses.safeParse(text.split(",").map((address) => address.trim()));
  if (list.success) return list.data;
  context.addIssue(
    "must be true, false, a number of proxies from 0 to 9, or a comma-separated list of their addresses and ranges",
  );
  return z.NEVER;
});

/**
 * Logs a warning once if requests come through a proxy that is not trusted. All clients then share the address of the
 * proxy, and are throttled together.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, trusted: TrustProxy): void {
  let warned = trusted !== false;
  app.addHook("onRequest", async ({ headers, log }) => {
    if (warned || headers["x-forwarded-for"] === undefined) return;
    warned = true;
    log.warn(
      "X-Forwarded-For ignored: TRUST_PROXY is not set. Behind a proxy, set it, otherwise all clients share the proxy's address.",
    );
  });
}
