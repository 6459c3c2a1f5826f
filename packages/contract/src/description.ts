import description from "./generated/openapi.json" with { type: "json" };
import type { components } from "./generated/openapi.ts";
import pages from "./generated/pages.json" with { type: "json" };
import type { OperationId } from "./operations.ts";

export { description, pages };

export type Schemas = components["schemas"];
export type EventType = Schemas["EventType"];
export type Scope = Schemas["Scope"];
export type Plan = Schemas["Plan"];

/** The body of a webhook of one event type. */
export type EventOf<Type extends EventType> = Extract<Schemas["WebhookEvent"], { type: Type }>;

/** Every event type, in the order of the reference. */
export const eventTypes = description.components.schemas.EventTypeInput.enum as EventType[];

/** Every scope with its meaning in words. */
export const scopeMeanings = description.components.securitySchemes.oauth2.flows.authorizationCode
  .scopes as Record<Scope, string>;

/** Requests per minute that a plan allows. A plan that is missing has no access to the API. */
export const requestsPerMinute: Partial<Record<Plan, number>> =
  description.components.schemas.Plan["x-requests-per-minute"];

/** Messages per month that a plan includes. */
export const messagesPerMonth: Record<Plan, number> =
  description.components.schemas.Plan["x-messages-per-month"];

/** Version of the API, the value of `meta.api_version`. */
export const apiVersion = description.info.version;

export type SecurityScheme = keyof typeof description.components.securitySchemes;

/** One operation of the contract at run time. */
export interface Operation {
  operationId: OperationId;
  /** Upper case. */
  method: string;
  /** Path template, for example `/api/v1/leads/{id}`. */
  path: string;
  /** How callers authenticate; `null` for public operations. */
  scheme: SecurityScheme | null;
  /** Scopes that an access token needs; `null` when the operation takes no access token. */
  scopes: Scope[] | null;
  /** Success status, for example 201, or 303 for a redirect. */
  successStatus: number;
  /** Whether the request body is optional. */
  hasOptionalBody: boolean;
  /** Whether the operation takes an `Idempotency-Key`. */
  takesIdempotencyKey: boolean;
  /** Status codes that the description documents, as written there. */
  statuses: string[];
}

const methods = ["get", "put", "post", "delete", "patch"] as const;

const idempotencyKey = "#/components/parameters/IdempotencyKey";

interface OperationObject {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: { $ref?: string }[];
  requestBody?: { required?: boolean };
  responses: Record<string, unknown>;
}

/** Every operation that the server handles, also of pages, in the order of the descriptions. */
export const operationTable: Operation[] = [
  ...Object.entries(description.paths),
  ...Object.entries(pages.paths),
].flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = (item as Partial<Record<string, OperationObject>>)[method];
    return operation ? [toOperation(method, path, operation)] : [];
  }),
);

function toOperation(method: string, path: string, operation: OperationObject): Operation {
  const [requirement] = operation.security ?? description.security;
  const statuses = Object.keys(operation.responses);
  return {
    operationId: operation.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    scheme: requirement ? (Object.keys(requirement)[0] as SecurityScheme) : null,
    scopes: requirement?.["oauth2"] ? (requirement["oauth2"] as Scope[]) : null,
    successStatus: Number(statuses.find((status) => status.startsWith("2")) ?? statuses[0]),
    hasOptionalBody: operation.requestBody !== undefined && !operation.requestBody.required,
    takesIdempotencyKey: (operation.parameters ?? []).some(({ $ref }) => $ref === idempotencyKey),
    statuses,
  };
}
