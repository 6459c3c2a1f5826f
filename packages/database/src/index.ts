export { type AuditEvent, auditEvents, recordAudit } from "./audit.ts";
export { type ChangeOptions, runChange, timeNow, timeOfChange, visibleUntil } from "./changes.ts";
export { connect, createDatabase, createPool, type Database, type Transaction } from "./client.ts";
export { type DatabaseAddress, databaseAddress, databaseVariables, requestLogVariables } from "./config.ts";
export { connectionOptions, unencryptedWarnings } from "./connection-options.ts";
export {
  cheapHash,
  hashPassword,
  hashToken,
  type PasswordLane,
  PasswordQueueFullError,
  runPasswordCheck,
  verifyPassword,
} from "./credentials.ts";
export * from "./generated/client.ts";
export { idempotencyKeyLifetime } from "./idempotency-keys.ts";
export { startListener } from "./listener.ts";
export { listRecords, mostCounted, type Page } from "./lists/list-records.ts";
export { literal } from "./lists/literal.ts";
export { orderBy, type Position, type RecordSort } from "./lists/order.ts";
export { maintainLogPartitions } from "./log-partitions.ts";
export { applyMigrations } from "./migrate/apply-migrations.ts";
export { prepareDatabase } from "./prepare.ts";
export { findWrongCounts, foldRecordCounts, repairCounts, type WrongCount } from "./record-counts.ts";
export { type RecordRows, recordColumns } from "./record-rows.ts";
export {
  type ApiRequestFilter,
  type ApiRequestStatus,
  type LoggedRequest,
  listApiRequests,
} from "./request-log/list-requests.ts";
export { maintainRequestLog } from "./request-log/maintain-request-log.ts";
export {
  type ApiRequestCounts,
  type ApiRequestEntry,
  recordRequests,
} from "./request-log/record-requests.ts";
export { type RequestCountsOfMinute, requestCounts } from "./request-log/request-counts.ts";
export { demo, issueDemoToken, seedDemo } from "./seed/demo.ts";
export { isDatabaseUnavailable, isStatementCanceled, repeatOnConflict } from "./unavailable.ts";
export { isUuid } from "./uuid.ts";
