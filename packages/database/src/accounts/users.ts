import type { Database } from "../client.ts";
import { hashPassword } from "../credentials.ts";
import type { User } from "../generated/client.ts";
import { isUuid } from "../uuid.ts";
import { AccountNotFoundError, type Problem, rejectProblems } from "./account-error.ts";
import { type Actor, recordChange } from "./actor.ts";
import { removeGrants, revokeGrants } from "./grants.ts";
import { checkName } from "./names.ts";

/** Limits of the sign-in form. */
const maxEmail = 254;
const password = { min: 12, max: 1_024 };

export const roles = ["member", "admin"] as const;
type Role = (typeof roles)[number];

interface NewUser {
  organizationId: string;
  email: string;
  name: string;
  password: string;
  isAdmin: boolean;
}

/** Creates a user. @throws AccountError */
export async function createUser(db: Database, user: NewUser, by: Actor): Promise<User> {
  const { organizationId, name, isAdmin } = user;
  const email = user.email.trim().toLowerCase();
  rejectProblems([checkName(name.trim()), checkEmail(email), checkPassword(user.password, email)]);
  const passwordHash = await hashPassword(user.password);
  return db.$transaction(async (tx) => {
    const where = { id: organizationId, deletionStartedAt: null };
    const known = isUuid(organizationId) && (await tx.organization.count({ where })) > 0;
    const taken = (await tx.user.count({ where: { email } })) > 0;
    rejectProblems([
      known ? undefined : { field: "organization", message: `No organization ${organizationId} exists.` },
      taken ? { field: "email", message: `A user with the email ${email} already exists.` } : undefined,
    ]);
    const role = isAdmin ? "admin" : "member";
    const created = await tx.user.create({
      data: { organizationId, email, name: name.trim(), passwordHash, role },
    });
    const details = { email, role };
    await recordChange(tx, by, { event: "user.created", organizationId, userId: created.id, details });
    return created;
  });
}

/**
 * Sets a user's password and ends all sessions of the user.
 *
 * @param name the user's ID or email
 * @param revokeAccess whether to also revoke all grants of the user, RFC 9700 section 4.14.2
 * @throws AccountError, AccountNotFoundError
 */
export async function setPassword(
  db: Database,
  name: string,
  text: string,
  by: Actor,
  { revokeAccess = false } = {},
): Promise<User> {
  const user = await findUserByName(db, name);
  rejectProblems([checkPassword(text, user.email)]);
  const passwordHash = await hashPassword(text);
  const { id: userId, organizationId } = user;
  return db.$transaction(async (tx) => {
    const changed = await tx.user.update({ where: { id: userId }, data: { passwordHash } });
    await tx.userSession.deleteMany({ where: { userId } });
    await recordChange(tx, by, { event: "user.password_changed", organizationId, userId });
    if (revokeAccess) await revokeGrants(tx, { userId }, new Date(), { reason: "password_changed", ...by });
    return changed;
  });
}

/**
 * Sets a user's role. It applies to the next request.
 *
 * @param name the user's ID or email
 * @throws AccountNotFoundError
 */
export async function setRole(db: Database, name: string, role: Role, by: Actor): Promise<User> {
  const { id: userId, organizationId, role: before } = await findUserByName(db, name);
  return db.$transaction(async (tx) => {
    const changed = await tx.user.update({ where: { id: userId }, data: { role } });
    const details = { role, role_before: before };
    await recordChange(tx, by, { event: "user.role_changed", organizationId, userId, details });
    return changed;
  });
}

/**
 * Deletes a user after revoking all grants of the user. If interrupted, call it again.
 *
 * @param name the user's ID or email
 * @throws AccountNotFoundError
 */
export async function deleteUser(db: Database, name: string, by: Actor): Promise<User> {
  const user = await findUserByName(db, name);
  const { id: userId, organizationId, email } = user;
  await removeGrants(db, { userId });
  return db.$transaction(async (tx) => {
    await tx.user.delete({ where: { id: userId } });
    await recordChange(tx, by, { event: "user.deleted", organizationId, userId, details: { email } });
    return user;
  });
}

/**
 * Finds a user.
 *
 * @param name the user's ID or email
 * @throws AccountNotFoundError
 */
export async function findUserByName(db: Database, name: string): Promise<User> {
  const where = isUuid(name) ? { id: name } : { email: name.trim().toLowerCase() };
  const user = await db.user.findUnique({ where });
  if (!user) throw new AccountNotFoundError("user", name);
  return user;
}

function checkEmail(email: string): Problem | undefined {
  if (email.length <= maxEmail && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)) return undefined;
  return { field: "email", message: "The email must be an email address." };
}

/**
 * Checks only the length, because rules about digits and capital letters do not make passwords safer (NIST SP 800-63B).
 */
function checkPassword(text: string, email: string): Problem | undefined {
  const problem = (message: string): Problem => ({ field: "password", message });
  if (text.length < password.min)
    return problem(`The password must have at least ${password.min} characters.`);
  if (text.length > password.max)
    return problem(`The password must have at most ${password.max} characters.`);
  return text.toLowerCase() === email ? problem("The password must differ from the email.") : undefined;
}
