import type { FastifyInstance } from "fastify";

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Logs a warning if the public address has no TLS, which RFC 6749 sections 3.1 and 3.2 require for both endpoints and RFC 8414
 * section 2 for the issuer. Loopback addresses are exempt.
 */
export function warnOfPlainHttp({ log }: FastifyInstance, publicUrl: string | undefined): void {
  if (!publicUrl?.startsWith("http:") || loopback.test(publicUrl)) return;
  log.warn(
    `PUBLIC_URL ${publicUrl} has no TLS: passwords and tokens are sent unencrypted. Use an https address.`,
  );
}
