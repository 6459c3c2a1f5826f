/**
 * Lifetimes in milliseconds. RFC 6749 section 4.1.2 allows at most ten minutes for codes, and RFC 6750 section 5.3
 * recommends an hour for access tokens. Refresh tokens must expire if they are not used (RFC 9700 section 4.14.2).
 */
export const codeLifetime = 60_000;
export const accessTokenLifetime = 3_600_000;
export const refreshTokenLifetime = 30 * 24 * 3_600_000;
/** Time in which a refresh token may be exchanged again after its first exchange. */
export const refreshRetryWindow = 60_000;
/** Maximum number of exchanges of one refresh token within that time: the first, and ten repetitions. */
export const maxRefreshExchanges = 11;
export const sessionLifetime = 8 * 3_600_000;
/** Lifetime of the session that a console link starts. It is short, because the platform cannot end the session. */
export const linkSessionLifetime = 3_600_000;
