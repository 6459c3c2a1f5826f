/**
 * Lifetimes in milliseconds: specification §5.3 and design §6. Codes live less than the ten minutes of RFC 6749 section 4.1.2,
 * access tokens an hour at most as RFC 6750 section 5.3 asks; refresh tokens expire unused, RFC 9700 section 4.14.2.
 */
export const codeLifetime = 60_000;
export const accessTokenLifetime = 3_600_000;
export const refreshTokenLifetime = 30 * 24 * 3_600_000;
/** How long a refresh token may be exchanged again after its first exchange. */
export const refreshRetryWindow = 60_000;
/** How often one refresh token may be exchanged in that time: far more than processes of one app refresh at once. */
export const maxRefreshExchanges = 100;
export const sessionLifetime = 8 * 3_600_000;
