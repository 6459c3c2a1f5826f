export * from "./ajv.ts";
export * from "./description.ts";
export type { components, operations, paths, webhooks } from "./generated/openapi.ts";
export * from "./operations.ts";
export * from "./routes.ts";
