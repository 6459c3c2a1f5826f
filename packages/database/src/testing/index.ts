export { createTestDatabase, type TestDatabase, testServerUrl } from "./test-database.ts";
