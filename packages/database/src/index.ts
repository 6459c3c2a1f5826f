export { type AuditEvent, type AuditRecord, auditEvents, recordAudit } from "./audit.ts";
export { type ChangeOptions, runChange, seeAllChanges, timeOfChange } from "./changes.ts";
export { connect, createDatabase, createPool, type Database, type Transaction } from "./client.ts";
export { databaseVariables, integer, logVariables, stopVariables, toggle } from "./config.ts";
export type { ConnectionChoices } from "./connection-options.ts";
export {
  hashPassword,
  hashToken,
  PasswordQueueFullError,
  runPasswordCheck,
  verifyPassword,
} from "./credentials.ts";
export { defaultOf, exampleOf, isSecret, meaningOf } from "./describe-variable.ts";
export { explainDataFolder, openDataFolder } from "./embedded/data-folder.ts";
export { findRunningPostgres } from "./embedded/find-running.ts";
export { type RunningPostgres, type StartOptions, startPostgres } from "./embedded/start-postgres.ts";
export * from "./generated/client.ts";
export { listRecords, type RecordFilter, type RecordPage } from "./list-records.ts";
export { type ListenerEvents, longestSilenceMs, startListener } from "./listener.ts";
export { applyMigrations, type MigrateOptions } from "./migrate/apply-migrations.ts";
export { prepareDatabase } from "./prepare.ts";
export { productVersion } from "./product-version.ts";
export { readConfig } from "./read-config.ts";
export { explain, type Program, run } from "./run.ts";
export { demo, issueDemoToken, seedDemo } from "./seed/demo.ts";
export { stopOnSignal } from "./stop-on-signal.ts";
export { isDatabaseUnavailable } from "./unavailable.ts";
export { isUuid } from "./uuid.ts";
