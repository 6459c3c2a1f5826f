export * from "./api-errors.ts";
export * from "./oauth-errors.ts";
export { type ErrorDetails, ParleyError } from "./parley-error.ts";
export * from "./transport-errors.ts";
