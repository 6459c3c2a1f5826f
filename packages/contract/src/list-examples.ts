/** Parts of the OpenAPI description that contain the examples. */
export interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
  components: { responses: Record<string, Partial<Content>> };
}

interface DescribedOperation {
  operationId?: string;
  responses: Record<string, Partial<Content> & { $ref?: string }>;
}

interface Content {
  content: { "application/json"?: { example?: unknown; examples?: Record<string, { value: unknown }> } };
}

interface ErrorBody {
  error: string;
}

/** Response of an operation or error, with the body of its first example. */
export interface ExampleResponse {
  status: number;
  body: unknown;
}

/** Example of a successful response, with the method in upper case and the path of its operation. */
export interface OperationExample extends ExampleResponse {
  method: string;
  path: string;
}

/** Examples of a contract: events by type, successful responses by operation ID, and errors by code. */
export interface ContractExamples {
  events: Record<string, unknown>;
  operations: Record<string, OperationExample>;
  errors: Record<string, ExampleResponse>;
}

/** Lists the examples of events, of responses with JSON, and of errors. */
export function listExamples({ paths, webhooks, components }: Described): ContractExamples {
  const examples: ContractExamples = { events: {}, operations: {}, errors: {} };
  for (const [type, { post }] of Object.entries(webhooks))
    [examples.events[type]] = bodiesOf(post.requestBody);
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      if (operationId === undefined) continue;
      for (const [code, response] of Object.entries(responses)) {
        const status = Number(code);
        const shared = components.responses[response.$ref?.split("/").at(-1) ?? ""];
        for (const body of bodiesOf(shared ?? response)) {
          if (status < 300)
            examples.operations[operationId] ??= { method: method.toUpperCase(), path, status, body };
          else if (isError(body)) examples.errors[body.error] ??= { status, body };
        }
      }
    }
  }
  return examples;
}

function bodiesOf({ content }: Partial<Content>): unknown[] {
  const { example, examples = {} } = content?.["application/json"] ?? {};
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

function isError(body: unknown): body is ErrorBody {
  return typeof (body as ErrorBody | null)?.error === "string";
}
