import { randomInt, randomUUID } from "node:crypto";
import {
  description,
  type Operation,
  operationTable,
  requestsPerMinute,
  type Schemas,
} from "@parley/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBrowser } from "../src/modules/oauth/testing/browser.ts";
import { createUser, password, register } from "../src/modules/oauth/testing/fixture.ts";
import type { ItemType } from "../src/modules/platform/items.ts";
import { as, startApi, type TestApi } from "../src/testing/api-server.ts";
import { createPlatform, itemTypes, sampleItem, samples } from "../src/testing/platform.ts";
import {
  integerTexts,
  pathItem,
  placesOf,
  resolve,
  type Schema,
  textsFor,
  withValue,
} from "./hostile-values.ts";

let api: TestApi;
let token: string;
let ids: Record<string, string>;
/** Session of a signed-in admin, for the forms of pages. */
let cookie: string;
let csrfToken: string;

beforeAll(async () => {
  requestsPerMinute.business = Number.MAX_SAFE_INTEGER; // Every request must reach its operation.
  api = await startApi({ MAX_SUBSCRIPTIONS: "10000", TRUST_PROXY: "true" });
  const { tenant } = await createPlatform(api);
  ({ token } = tenant);
  const create = async (path: string, body: object) => {
    const response = await as(api, tenant)("POST", path, body);
    return ((await response.json()) as { data: { id: string } }).data.id;
  };
  const { organizationId, chatbotId } = tenant;
  const target = {
    target_url: "http://127.0.0.1:9/",
    event_types: ["lead.created"],
    public_key_signature: true, // So that the organization has a signing key.
  };
  const webhooks = await create("/api/v1/webhooks/subscribe", target);
  const leads = await create("/api/v1/leads", { chatbot_id: chatbotId, contact: { name: "Ada Novak" } });
  const times = { startsAt: new Date(), endsAt: new Date(), timezone: "Europe/Vienna" };
  const meeting = await api.db.meeting.create({ data: { organizationId, title: "Demo", ...times } });
  const delivery = await api.db.delivery.findFirstOrThrow({ where: { subscriptionId: webhooks } });
  const at = new Date();
  const range = { status: "delivered", since: at, until: at, searchedAt: at, searchedId: delivery.id };
  const redelivery = await api.db.redelivery.create({
    data: { ...range, organizationId: delivery.organizationId, subscriptionId: webhooks },
  });
  const subject = { subjectType: "email", subject: "ada@example.com" };
  const erasure = await api.db.erasure.create({ data: { organizationId, ...subject } });
  ids = {
    leads,
    webhooks,
    events: delivery.eventId,
    chatbots: chatbotId,
    conversations: await create("/api/v1/conversations", { chatbot_id: chatbotId }),
    tickets: await create("/api/v1/tickets", { subject: "Cannot sign in" }),
    meetings: meeting.id,
    delivery_id: delivery.id,
    redelivery_id: redelivery.id,
    erasure_id: erasure.id,
    organization_id: organizationId,
  };
  // The client of the contract's examples.
  const client = { client_id: "my-client", client_secret: "my-secret" };
  await register(api.db, client, ["https://app.example.com/callback"]);
  const { email, id: userId } = await createUser(api.db);
  await api.db.user.update({ where: { id: userId }, data: { role: "admin" } });
  const browser = new TestBrowser(api.fetch);
  const page = `${api.url}/console/apps`;
  await browser.press("sign_in", page, { email, password });
  csrfToken = await browser.csrfToken(page);
  cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
});
afterAll(() => api.close());

interface OperationObject {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: object; examples?: object }> };
}
interface Parameter {
  $ref?: string;
  name: string;
  in: "path" | "query" | "header";
  example?: string | number;
  schema: Schema;
}

const objectOf = ({ path, method }: Operation) => {
  const item = pathItem(path);
  const operation = item[method.toLowerCase()] as OperationObject;
  const shared = (item["parameters"] ?? []) as Parameter[];
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => resolve(parameter));
  return { parameters, content: operation.requestBody?.content ?? {} };
};

/** Returns the path of an existing record, with some parameters replaced. */
function pathOf({ path }: Operation, changed: Record<string, string> = {}): string {
  const folder = path.split("/")[3] ?? "";
  const known = {
    ...ids,
    id: ids[folder] ?? randomUUID(),
    external_id: randomUUID(),
    client_id: "nobody",
    type: "lead.created",
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return changed[name] ?? (known as Record<string, string>)[name] ?? "";
  });
}

/** Returns the query of a valid authorization request; empty for other operations. */
function queryOf(operation: Operation, changed: Record<string, string> = {}): string {
  const examples = objectOf(operation).parameters.flatMap(({ name, example = "" }) => [
    [name, encode(String(example))],
  ]);
  const known: Record<string, string> =
    operation.path === "/api/oauth/authorize" ? Object.fromEntries(examples) : {};
  const query = Object.entries({ ...known, ...changed }).map(([name, value]) => `${name}=${value}`);
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

interface Attempt {
  /** Description of the value and its position. */
  name: string;
  /** Parameter or field with the value. */
  field?: string;
  path: string;
  body?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** Percent-encodes a text; an unpaired surrogate as the bytes that UTF-8 does not allow. */
function encode(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, "\ufffd")).replaceAll("%EF%BF%BD", "%ED%A0%80");
}

const short = (text: string) => text.length < 8_000;

function parameterAttempts(operation: Operation): Attempt[] {
  const body = bodies(operation)[0];
  const rest = body ? { body: written(body), contentType: body.contentType } : {};
  return objectOf(operation).parameters.flatMap(({ name, in: part, schema: unresolved }) => {
    const schema = resolve(unresolved);
    const values = schema.type === "integer" ? integerTexts : textsFor(schema);
    if (part === "header") {
      return values
        .map((value) => Buffer.from(value).toString("latin1"))
        .filter((value) => short(value) && !/[\0\r\n]/.test(value))
        .map((value) => ({
          name: `${name}: ${value}`,
          field: name,
          path: pathOf(operation),
          headers: { [name]: value },
          ...rest,
        }));
    }
    return [...values.map(encode), "%", "%ff", "%C0%80"].filter(short).map((value) => ({
      name: `${part} ${name}=${value}`,
      field: name,
      path:
        part === "path"
          ? pathOf(operation, { [name]: value })
          : pathOf(operation) + queryOf(operation, { [name]: value }),
      ...rest,
    }));
  });
}

/** Returns the body schemas of an operation, each with a valid example. */
function bodies(operation: Operation) {
  return Object.entries(objectOf(operation).content).map(([contentType, { schema, example, examples }]) => {
    const [first] = Object.values((examples ?? {}) as Record<string, { value: object }>);
    return { contentType, schema, example: accepted(operation, example ?? first?.value ?? {}) };
  });
}

const formType = "application/x-www-form-urlencoded";

function written({ contentType, example }: { contentType: string; example: object }): string {
  return contentType === formType ? writtenForm(example) : JSON.stringify(example);
}

const writtenForm = (fields: object) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encode(String(value))}`)
    .join("&");

/** Returns the contract's example with the IDs of existing records. */
function accepted({ operationId }: Operation, example: object): object {
  const type = itemTypes.find((name) => operationId === `upsert${pascalCase(name)}`);
  if (type) return samples[type];
  const known = /^(create|update)WebhookSubscription$/.test(operationId) ? withCondition(example) : example;
  return JSON.parse(JSON.stringify(known), (key, value) => {
    if (key === "csrf_token") return csrfToken;
    const folder = key.endsWith("_id") ? `${key.slice(0, -3)}s` : "";
    return ids[folder] ?? value;
  }) as object;
}

/** Adds a condition to the filters of a subscription, so that its members are tried too. */
function withCondition(subscription: { filters?: object }): object {
  const conditions = [description.components.schemas.FilterCondition.example];
  return { ...subscription, filters: { ...subscription.filters, conditions } };
}

const pascalCase = (name: string) =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());

function bodyAttempts(operation: Operation): Attempt[] {
  return bodies(operation).flatMap(({ contentType, schema, example }) => {
    const address = () => pathOf(operation) + queryOf(operation); // Each upsert writes a new record.
    if (contentType === formType) return formAttempts(address(), schema, example);
    if (operation.operationId === "writeBatch")
      return itemTypes.flatMap((type) => itemAttempts(address(), type));
    return placesOf(schema).flatMap((place) =>
      place.values.map((raw) => ({
        name: `${place.path.join("/")}: ${raw}`,
        field: place.path.findLast((key) => key !== "0") ?? "body",
        path: address(),
        contentType,
        body: withValue(example, place.path, raw),
      })),
    );
  });
}

/** Returns attempts for each field with the action of the example, and with the sign-in action if the form has it. */
function formAttempts(path: string, schema: Schema, example: object): Attempt[] {
  const fields = Object.entries(resolve(schema).properties ?? {});
  const signIn = { ...example, action: "sign_in", email: "nobody@example.com", password: "wrong" };
  return fields.flatMap(([field, member]) => {
    const base = field === "email" || field === "password" ? signIn : example;
    return textsFor(resolve(member)).map((text) => ({
      name: `${field}=${text}`,
      path,
      contentType: formType,
      body: writtenForm({ ...base, [field]: text }),
    }));
  });
}

/** Returns attempts for batch items, which are validated and written by other code than single records. */
function itemAttempts(path: string, type: ItemType): Attempt[] {
  const schema = resolve({ $ref: `#/components/schemas/Platform${pascalCase(type)}` } as Schema);
  const places = placesOf(schema, ["items", "0", "attributes"]);
  const others = ["external_id", "type"].map((name) => ({
    path: ["items", "0", name],
    values: textsFor({}).map((text) => JSON.stringify(text)),
  }));
  return [...places, ...others].flatMap((place) =>
    place.values.filter(short).map((raw) => ({
      name: `${type} ${place.path.join("/")}: ${raw}`,
      path,
      contentType: "application/json",
      body: withValue({ items: [sampleItem(type, randomUUID())] }, place.path, raw),
    })),
  );
}

function send(
  { scheme, method }: Operation,
  { path, body, contentType, headers }: Attempt,
): Promise<Response> {
  const key = scheme === "platformKey" ? api.platformKey : token;
  return api.fetch(api.url + path, {
    method,
    headers: {
      ...(scheme ? { authorization: `Bearer ${key}` } : { cookie }),
      ...(body !== undefined && contentType && { "content-type": contentType }),
      "x-forwarded-for": `198.51.100.${randomInt(256)}`, // Failed attempts are counted by address.
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
}

/** Returns the problem of a response; undefined without one. */
async function problemOf(operation: Operation, attempt: Attempt): Promise<string | undefined> {
  const name = attempt.name.slice(0, 120);
  try {
    const response = await send(operation, attempt);
    if (response.status >= 500 || (await hasFailedInside(response))) return `${name} → ${response.status}`;
    const description = response.status === 400 ? await invalidRequest(response) : undefined;
    if (description === undefined || namesField(description, attempt)) return undefined;
    return `${name} → ${description.slice(0, 200)}`;
  } catch (error) {
    return `${name} → ${String(error).slice(0, 300)}`; // The response violates the contract.
  }
}

/** Checks for an internal error of a batch item. The status is 200 because the other items are written. */
async function hasFailedInside(response: Response): Promise<boolean> {
  return response.status === 200 && (await response.clone().text()).includes('"error":"server_error"');
}

/** Returns the description of an invalid request; undefined for HTML pages. */
async function invalidRequest(response: Response): Promise<string | undefined> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return undefined;
  const { error, error_description } = (await response.json()) as Schemas["OAuthError"];
  return error === "invalid_request" ? error_description : undefined;
}

/** Checks that a description names the field, unless the request cannot be parsed or an OAuth parameter has forbidden characters. */
function namesField(description: string, { field = "" }: Attempt): boolean {
  const whole = /^The (?:path|body) (?:is|contains|must)\b/;
  return whole.test(description) || description.toLowerCase().includes(field.toLowerCase());
}

async function problemsOf(operation: Operation, attempts: Attempt[]): Promise<string[]> {
  const problems: string[] = [];
  const rest = attempts.values();
  async function sendAll(): Promise<void> {
    for (const attempt of rest) {
      const problem = await problemOf(operation, attempt);
      if (problem !== undefined) problems.push(problem);
    }
  }
  await Promise.all(Array.from({ length: 4 }, sendAll));
  return problems;
}

const takesInput = operationTable.filter((operation) => {
  const { parameters, content } = objectOf(operation);
  return parameters.length > 0 || Object.keys(content).length > 0;
});

/** Operations whose example is rejected here: a code and a console link work once, and a page's app is not registered. */
const refused = new Set(["exchangeToken", "openConsoleLink", "showClient", "submitClient"]);

/** Expects the example of an operation to be accepted; otherwise a hostile value in it would prove nothing. */
async function expectAccepted(operation: Operation): Promise<void> {
  if (refused.has(operation.operationId) || operation.method === "DELETE") return; // Others need the record.
  const [body] = bodies(operation);
  const path = pathOf(operation) + queryOf(operation);
  const attempt = { name: "", path, ...(body && { body: written(body), contentType: body.contentType }) };
  expect((await send(operation, attempt)).status).toBeLessThan(400);
}

test.each(takesInput)(
  "$operationId never responds with 500 to a hostile value, and names the rejected field",
  async (operation) => {
    await expectAccepted(operation);
    const hostile = [...parameterAttempts(operation), ...bodyAttempts(operation)];
    expect(hostile.length).toBeGreaterThan(0);
    expect(await problemsOf(operation, hostile)).toEqual([]);
  },
  300_000,
);
