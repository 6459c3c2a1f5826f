import description from "./generated/openapi.json" with { type: "json" };
import type { components } from "./generated/openapi.ts";
import pages from "./generated/pages.json" with { type: "json" };
import type { OperationId } from "./operations.ts";

export { description, pages };

/** Schemas of the contract by name. */
export type Schemas = components["schemas"];
/** Event type, for example `lead.created`. */
export type EventType = Schemas["EventType"];
/** Scope of an access token, for example `leads:read`. */
export type Scope = Schemas["Scope"];
/** Plan of an organization, for example `starter`. */
export type Plan = Schemas["Plan"];

/** Body of a webhook of an event type. */
export type EventOf<Type extends EventType> = Extract<Schemas["WebhookEvent"], { type: Type }>;

/** All event types, in the order of the reference. */
export const eventTypes = description.components.schemas.EventTypeInput.enum as EventType[];

/** All scopes with their descriptions. */
export const scopeMeanings = description.components.securitySchemes.oauth2.flows.authorizationCode
  .scopes as Record<Scope, string>;

/** Role of a user of an organization. */
export type Role = Schemas["ConsoleRole"];

const rolesOfScopes: Partial<Record<Scope, Role[]>> = description.components.securitySchemes.oauth2[
  "x-roles-of-scopes"
] as object;

/** Returns whether users with a role may use a scope: give it to an app, and do in the console what it allows. */
export function allowsScope(role: string, scope: Scope): boolean {
  return rolesOfScopes[scope]?.includes(role as Role) ?? true;
}

const scopesOfFeed: Record<string, string | null> =
  description.components.schemas.EventType["x-scopes-of-feed"];

/** Returns the scope that the feed requires for an event type in addition to `webhooks:manage`; null if it requires none. */
export function scopeOfEvent(type: EventType): Scope | null {
  const scope = scopesOfFeed[type.slice(0, type.indexOf("."))];
  if (scope === undefined) throw new Error(`x-scopes-of-feed has no entry for ${type}`);
  return scope as Scope | null;
}

/** Rate limit of each plan in requests per minute. A plan without one has no access to the API. */
export const requestsPerMinute: Partial<Record<Plan, number>> =
  description.components.schemas.Plan["x-requests-per-minute"];

/** Allowance of each plan in messages per month. */
export const messagesPerMonth: Record<Plan, number> =
  description.components.schemas.Plan["x-messages-per-month"];

/** Version of the API, a date: the value of `meta.api_version`. */
export const apiVersion = description.info.version;

/** Name of a security scheme of the contract. */
export type SecurityScheme = keyof typeof description.components.securitySchemes;

/** Operation of the contract. */
export interface Operation {
  /** Name of the operation, for example `listLeads`. */
  operationId: OperationId;
  /** HTTP method in upper case. */
  method: string;
  /** Path template, for example `/api/v1/leads/{id}`. */
  path: string;
  /** Security scheme of the operation; null for a public operation. */
  scheme: SecurityScheme | null;
  /** Scopes that the access token needs; null when the operation does not accept access tokens. */
  scopes: Scope[] | null;
  /** Whether an app may use the operation for the records that it created, although the user's role no longer allows the scopes. */
  isAllowedToCreator: boolean;
  /** HTTP status of the successful response, for example 201, or 303 for a redirect. */
  successStatus: number;
  /** Whether the request body is optional. */
  hasOptionalBody: boolean;
  /** Largest body of a form of a signed-in person in bytes, if it can be larger than other forms. */
  maxBodyBytes: number | undefined;
  /** Whether the operation accepts an `Idempotency-Key`. */
  takesIdempotencyKey: boolean;
}

const methods = ["get", "put", "post", "delete", "patch"] as const;

const idempotencyKey = "#/components/parameters/IdempotencyKey";

interface OperationObject {
  operationId: string;
  security?: Record<string, string[]>[];
  "x-allowed-to-creator"?: boolean;
  "x-max-body-bytes"?: number;
  parameters?: { $ref?: string }[];
  requestBody?: { required?: boolean };
  responses: Record<string, unknown>;
}

/** All operations of the API and of the pages, in the order of the OpenAPI descriptions. */
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
    isAllowedToCreator: operation["x-allowed-to-creator"] ?? false,
    successStatus: Number(statuses.find((status) => status.startsWith("2")) ?? statuses[0]),
    hasOptionalBody: operation.requestBody !== undefined && !operation.requestBody.required,
    maxBodyBytes: operation["x-max-body-bytes"],
    takesIdempotencyKey: (operation.parameters ?? []).some(({ $ref }) => $ref === idempotencyKey),
  };
}
