import type { Database } from "@parley/database";
import type { Redis } from "ioredis";
import { type Cookie, createCookie } from "./sessions/cookies.ts";
import { createThrottle, type Throttle } from "./sessions/throttle.ts";

export interface OAuthOptions {
  db: Database;
  /** Public root address without a trailing slash: the issuer, and what token answers call `api_base_url`. */
  baseUrl: () => string;
  /** The public root address, if the operator has configured one. */
  publicUrl: string | undefined;
  /** Counts failed attempts for all processes together. */
  redis?: Redis | undefined;
  /** Milliseconds since 1970; for tests, which may only set it forward: the library has a clock of its own. */
  clock?: () => number;
}

/** What the steps of the protocol share. */
export interface OAuthContext extends Required<Omit<OAuthOptions, "redis">> {
  /** Holds the browser's session secret, before and after sign-in. */
  sessionCookie: Cookie;
  /** Carries the email of a failed sign-in over to the page that says so. */
  failureCookie: Cookie;
  signInThrottle: Throttle;
  clientThrottle: Throttle;
  consentThrottle: Throttle;
}

export function createOAuthContext({ clock = Date.now, redis, ...options }: OAuthOptions): OAuthContext {
  return {
    ...options,
    clock,
    sessionCookie: createCookie("session", options.baseUrl),
    failureCookie: createCookie("failed_sign_in", options.baseUrl),
    signInThrottle: createThrottle({ name: "sign-in", windowMs: 15 * 60_000, clock, redis }),
    clientThrottle: createThrottle({ name: "client", windowMs: 60_000, clock, redis }),
    consentThrottle: createThrottle({ name: "consent", windowMs: 60 * 60_000, clock, redis }),
  };
}
