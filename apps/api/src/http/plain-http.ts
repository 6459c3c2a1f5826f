import type { FastifyInstance } from "fastify";

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Warns of a public address without TLS: RFC 6749 sections 3.1 and 3.2 ask for it at both endpoints, RFC 8414 section 2
 * in the issuer. On this machine alone plain http is fine.
 */
export function warnOfPlainHttp({ log }: FastifyInstance, publicUrl: string | undefined): void {
  if (!publicUrl?.startsWith("http:") || loopback.test(publicUrl)) return;
  log.warn(`PUBLIC_URL is ${publicUrl}: passwords and tokens travel in the clear. It should be https.`);
}
