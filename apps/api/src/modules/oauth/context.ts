import type { Database } from "@parley/database";
import type { Redis } from "ioredis";
import { type Cookie, createCookie } from "./sessions/cookies.ts";
import { createThrottle } from "./sessions/create-throttle.ts";
import type { Throttle } from "./sessions/throttle.ts";

interface OAuthOptions {
  db: Database;
  /** Public root address without a trailing slash: the issuer, RFC 8414 section 2, and `api_base_url` of token responses. */
  baseUrl: () => string;
  /** The public root address, if the operator has configured one. */
  publicUrl: string | undefined;
  /** Counts failed attempts for all processes together; without it, each process counts separately. */
  redis?: Redis | undefined;
  /** Current time in milliseconds since 1970; for tests. */
  clock?: () => number;
}

/** Dependencies that the endpoints share. */
export interface OAuthContext extends Required<Omit<OAuthOptions, "redis">> {
  /** Session secret of the browser, before and after sign-in. */
  sessionCookie: Cookie;
  /** Email of a failed sign-in, for the next page to show. */
  failureCookie: Cookie;
  signInThrottle: Throttle;
  clientThrottle: Throttle;
  consentThrottle: Throttle;
  /** Limits how often the console checks the URLs of an organization. */
  urlCheckThrottle: Throttle;
}

/** Creates the cookies and throttles of the authorization server. */
export function createOAuthContext({ clock = Date.now, redis, ...options }: OAuthOptions): OAuthContext {
  return {
    ...options,
    clock,
    sessionCookie: createCookie("session", options.baseUrl),
    failureCookie: createCookie("failed_sign_in", options.baseUrl),
    signInThrottle: createThrottle({ name: "sign-in", windowMs: 15 * 60_000, clock, redis }),
    clientThrottle: createThrottle({ name: "client", windowMs: 60_000, clock, redis }),
    consentThrottle: createThrottle({ name: "consent", windowMs: 60 * 60_000, clock, redis }),
    urlCheckThrottle: createThrottle({ name: "url-check", windowMs: 10 * 60_000, clock, redis }),
  };
}
