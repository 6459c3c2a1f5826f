import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Cookie that scripts cannot read. Requests from other websites do not contain it, except top-level navigation. */
export interface Cookie {
  read(request: FastifyRequest): string | undefined;
  /** Sets the cookie for `lifetime` milliseconds, or without it for the browser session. */
  write(reply: FastifyReply, value: string, lifetime?: number): void;
  clear(reply: FastifyReply): void;
}

/**
 * Creates a cookie. With an https address, the cookie is sent only over TLS (RFC 6749 section 10.8), and the `__Host-`
 * prefix prevents other hosts of the same domain from setting it (RFC 6265bis section 4.1.3.2). `SameSite=Lax` protects
 * against CSRF in addition to the CSRF token of forms (RFC 6749 section 10.12).
 */
export function createCookie(name: string, baseUrl: () => string): Cookie {
  const isSecure = () => baseUrl().startsWith("https:");
  const fullName = () => (isSecure() ? `__Host-parley_${name}` : `parley_${name}`);
  const options = (): CookieSerializeOptions => ({
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(),
  });
  return {
    read: (request) => request.cookies[fullName()],
    write(reply, value, lifetime) {
      const maxAge = lifetime === undefined ? {} : { maxAge: lifetime / 1000 };
      reply.setCookie(fullName(), value, { ...options(), ...maxAge });
    },
    clear: (reply) => void reply.clearCookie(fullName(), options()),
  };
}
