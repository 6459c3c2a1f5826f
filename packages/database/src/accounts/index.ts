export { AccountError, AccountNotFoundError, type Field, type Problem } from "./account-error.ts";
export { type Actor, type PlatformUser, platformUserDetails, recordChange } from "./actor.ts";
export {
  oldSecretLifetime,
  removeOldSecrets,
  rotateSecret,
  validSecrets,
} from "./client-secrets.ts";
export { createClient, deleteClient, updateClient } from "./clients.ts";
export { deleteOrganization } from "./delete-organization.ts";
export {
  activeGrant,
  auditSubject,
  type GrantFilter,
  type Revocation,
  removeGrants,
  revokeGrants,
} from "./grants.ts";
export { createOrganization, plans, setPlan } from "./organizations.ts";
export { loopback } from "./redirect-uri-rules.ts";
export {
  createUser,
  deleteUser,
  findUserByName,
  roles,
  setPassword,
  setRole,
} from "./users.ts";
