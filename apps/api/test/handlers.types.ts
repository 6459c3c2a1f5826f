import type { Handlers, Operations } from "../src/http/handlers.ts";

// Type tests: each line with @ts-expect-error must not compile, or the type check reports an error.
// They use an operation without parameters and body, and a list.

const health: Operations<"checkLiveness"> = { checkLiveness: () => ({ status: "ok" }) };

// @ts-expect-error -- a handler is missing: checkReadiness
export const missing: Operations<"checkLiveness" | "checkReadiness"> = { ...health };

// @ts-expect-error -- a handler is missing: all but one
export const almostNone: Handlers = { ...health };

// @ts-expect-error -- the contract has no operation of this name
export const misnamed: Operations<"checkLiveness"> = { checkLivenes: () => ({ status: "ok" }) };

// @ts-expect-error -- the contract has no operation of this name either
export const unknown: Operations<"checkWealth"> = { checkWealth: () => ({ status: "ok" }) };

// @ts-expect-error -- the response has another type
export const illTyped: Operations<"checkLiveness"> = { checkLiveness: () => ({ status: "fine" }) };

// @ts-expect-error -- the envelope lacks its meta
export const withoutMeta: Operations<"listLeads"> = { listLeads: async () => ({ data: [] }) };

export const wrongField: Operations<"createLead"> = {
  createLead: (request) => {
    // @ts-expect-error -- the request's body has no such field
    throw new Error(request.body.colour);
  },
};
