import description from "./generated/openapi.json" with { type: "json" };
import type { components, webhooks } from "./generated/openapi.ts";
import type { OperationId } from "./operations.ts";

export { description };

export type Schemas = components["schemas"];
export type EventType = Schemas["EventType"];
export type Scope = Schemas["Scope"];
export type Plan = Schemas["Plan"];

/** The body of a webhook of one event type. */
export type EventOf<Type extends EventType> =
  webhooks[Type]["post"]["requestBody"]["content"]["application/json"];

/** Every event type, in the order of specification §6.1. */
export const eventTypes = description.components.schemas.EventType.enum as EventType[];

/** Every scope with its meaning in words, specification §5.4. */
export const scopeMeanings = description.components.securitySchemes.oauth2.flows.authorizationCode
  .scopes as Record<Scope, string>;

/** Requests a minute that a plan may make, specification §8; a plan that is missing has no access to the API. */
export const requestsPerMinute: Partial<Record<Plan, number>> =
  description.components.schemas.Plan["x-requests-per-minute"];

/** Messages a month that a plan includes. */
export const messagesPerMonth: Record<Plan, number> =
  description.components.schemas.Plan["x-messages-per-month"];

/** The version that `meta.api_version` carries, specification §9. */
export const apiVersion = description.components.schemas.Meta.properties.api_version
  .const as Schemas["Meta"]["api_version"];

export type SecurityScheme = keyof typeof description.components.securitySchemes;

/** One operation of the contract at run time. */
export interface Operation {
  operationId: OperationId;
  /** Upper case. */
  method: string;
  /** Path template, for example `/api/v1/leads/{id}`. */
  path: string;
  /** How callers prove who they are; `null` where they need not. */
  scheme: SecurityScheme | null;
  /** Scopes that an access token needs; `null` where none is taken. */
  scopes: Scope[] | null;
  /** Success status, for example 201; 303 where success is a redirect. */
  successStatus: number;
  /** Whether the request has a body that may be left out. */
  hasOptionalBody: boolean;
  /** Whether the request may carry an `Idempotency-Key`. */
  takesIdempotencyKey: boolean;
  /** Status codes that the contract documents, as it writes them. */
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

/** Every operation under `paths`, in the order of the description. */
export const operationTable: Operation[] = Object.entries(description.paths).flatMap(([path, item]) =>
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
