export { type SilentProxy, startSilentProxy } from "./silent-proxy.ts";
export {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  testServerUrl,
} from "./test-database.ts";
export { type ConnectedDatabase, useTestDatabase } from "./use-test-database.ts";
