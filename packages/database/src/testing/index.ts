export {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  testServerUrl,
} from "./test-database.ts";
