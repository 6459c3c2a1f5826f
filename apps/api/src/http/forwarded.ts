import type { FastifyInstance, FastifyServerOptions } from "fastify";
import { z } from "zod";

type TrustProxy = NonNullable<FastifyServerOptions["trustProxy"]>;

/** `/0` would believe whatever anybody says of himself. */
const addresses = z.array(
  z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((range) => !range.endsWith("/0")),
);

/**
 * Whose `X-Forwarded-For` is believed, as Fastify takes it: nobody's, that of so many proxies, or of those at these addresses,
 * RFC 9700 section 4.13.
 */
export const trustedProxies = z.string().transform((text, context): TrustProxy => {
  if (text === "false" || text === "0") return false;
  const proxies = text === "true" ? 1 : /^[1-9]$/.test(text) ? Number(text) : undefined;
  if (proxies !== undefined) return (_address, hop) => hop < proxies;
  const list = addresses.safeParse(text.split(",").map((address) => address.trim()));
  if (list.success) return list.data;
  context.addIssue(
    "must be true, false, a number of proxies up to 9, or their addresses and ranges separated by commas",
  );
  return z.NEVER;
});

/** Behind a proxy that is not trusted everybody has its address, and is throttled together: the log says so, once. */
export function warnOfUntrustedProxy(app: FastifyInstance, trusted: TrustProxy): void {
  let warned = trusted !== false;
  app.addHook("onRequest", async ({ headers, log }) => {
    if (warned || headers["x-forwarded-for"] === undefined) return;
    warned = true;
    log.warn(
      "a request came with X-Forwarded-For, which is not believed: behind a proxy set TRUST_PROXY, else everybody has the proxy's address",
    );
  });
}
