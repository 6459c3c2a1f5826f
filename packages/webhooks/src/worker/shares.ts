/** What a worker has a limited number of: places for leases, or attempts in flight. */
export interface Limited {
  /** The limit. */
  most: number;
  /** How many are used, by all organizations and by one. */
  used: number;
  usedByOne: number;
  /** Number of organizations that use or wait for some. */
  organizations: number;
}

/**
 * Returns whether an organization may use one more. With n organizations, none gets more than an nth. An eighth is kept for organizations that
 * use none, so that the first delivery of an organization does not wait for those of others.
 */
export function mayUse({ most, used, usedByOne, organizations }: Limited): boolean {
  if (usedByOne === 0) return used < most;
  return used < most - Math.floor(most / 8) && usedByOne < Math.max(1, Math.floor(most / organizations));
}
