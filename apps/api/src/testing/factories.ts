import { randomBytes } from "node:crypto";
import { hashToken } from "@parley/database";

export { createTenant, issueToken, type Tenant, type TenantOptions } from "@parley/database/testing/tenant";

export function newPlatformKey(): string {
  return `parley_pk_${randomBytes(32).toString("hex")}`;
}

/** Returns the hash of a platform key for PLATFORM_KEY_HASHES. */
export function hashOfKey(platformKey: string): string {
  return Buffer.from(hashToken(platformKey)).toString("hex");
}
