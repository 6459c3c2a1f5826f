export { auditEvents, recordAudit } from "./audit.ts";
export { type ChangeOptions, runChange, timeOfChange } from "./changes.ts";
export { connect, createDatabase, createPool, type Database, type Transaction } from "./client.ts";
export { databaseVariables, integer, logVariables, stopVariables, toggle } from "./config.ts";
export {
  hashPassword,
  hashToken,
  PasswordQueueFullError,
  runPasswordCheck,
  verifyPassword,
} from "./credentials.ts";
export { defaultOf, exampleOf, isSecret, meaningOf } from "./describe-variable.ts";
export { explainDataFolder, openDataFolder } from "./embedded/data-folder.ts";
export { findRunningPostgres } from "./embedded/running-server.ts";
export { type RunningPostgres, startPostgres } from "./embedded/start-postgres.ts";
export * from "./generated/client.ts";
export { listRecords, type RecordRows } from "./list-records.ts";
export { startListener } from "./listener.ts";
export { applyMigrations } from "./migrate/apply-migrations.ts";
export { prepareDatabase } from "./prepare.ts";
export { productVersion } from "./product-version.ts";
export { readConfig } from "./read-config.ts";
export { run } from "./run.ts";
export { demo, issueDemoToken, seedDemo } from "./seed/demo.ts";
export { stopOnSignal } from "./stop-on-signal.ts";
export { isDatabaseUnavailable } from "./unavailable.ts";
export { isUuid } from "./uuid.ts";
