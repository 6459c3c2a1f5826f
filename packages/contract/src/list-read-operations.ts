/** Operation that reads data with an access token. */
export interface ReadOperation {
  /** Words of the command, for example `["webhooks", "deliveries"]`. */
  command: string[];
  path: string;
  summary: string;
  pathParameters: Parameter[];
  queryParameters: Parameter[];
}

/** Parameter of the path or query. */
export interface Parameter {
  name: string;
  /** First sentence of the description. */
  description: string;
  /** Known values, if the contract lists them. */
  values?: string[];
  /** Whether the value is a time. */
  isTime: boolean;
  /** Whether the parameter can be sent more than once. */
  isRepeatable: boolean;
}

/** Parts of the OpenAPI description that this module reads. References are resolved by `find`. */
export interface Described {
  paths: Record<string, { parameters?: Reference<DescribedParameter>[]; get?: DescribedOperation }>;
  components: Record<string, Record<string, unknown>>;
}

interface DescribedOperation {
  summary: string;
  parameters?: Reference<DescribedParameter>[];
}

interface DescribedParameter {
  name: string;
  in: "path" | "query" | "header";
  description: string;
  schema: Reference<DescribedSchema>;
}

interface DescribedSchema {
  enum?: string[];
  "x-extensible-enum"?: string[];
  format?: string;
  items?: Reference<DescribedSchema>;
}

type Reference<Type> = Type | { $ref: string };

/** Lists the GET operations that need an access token, in the order of the contract. */
export function listReadOperations({ paths, components }: Described): ReadOperation[] {
  return Object.entries(paths).flatMap(([path, { parameters: shared = [], get }]) => {
    if (!get || !path.startsWith("/api/v1/")) return [];
    const parameters = [...shared, ...(get.parameters ?? [])].map((one) => find<DescribedParameter>(one));
    const inside = (place: string) =>
      parameters.filter((parameter) => parameter.in === place).map(parameterOf);
    return [
      {
        command: commandOf(path),
        path,
        summary: get.summary,
        pathParameters: inside("path"),
        queryParameters: inside("query"),
      },
    ];
  });

  function find<Type>(value: Reference<Type>): Type {
    const reference = (value as { $ref?: string }).$ref;
    if (reference === undefined) return value as Type;
    const [, , kind = "", name = ""] = reference.split("/");
    return find(components[kind]?.[name] as Reference<Type>);
  }

  function parameterOf({ name, description, schema }: DescribedParameter): Parameter {
    const resolved = find<DescribedSchema>(schema);
    const single = resolved.items ? find<DescribedSchema>(resolved.items) : resolved;
    const values = single.enum ?? single["x-extensible-enum"];
    return {
      name,
      description: firstSentence(description),
      ...(values && { values }),
      isTime: single.format === "date-time",
      isRepeatable: resolved.items !== undefined,
    };
  }
}

/** Returns the words of a command: for `/leads` `leads list`, for `/leads/{id}` `leads get`, and for `/me` `me`. */
function commandOf(path: string): string[] {
  const segments = path.split("/").slice(3);
  const [resource = "", , collection] = segments;
  const last = segments.at(-1) ?? "";
  if (segments.length === 1) return resource.endsWith("s") ? [resource, "list"] : [resource];
  if (!last.startsWith("{")) return [resource, last];
  return [resource, collection === undefined ? "get" : collection.replace(/ies$/, "y").replace(/s$/, "")];
}

function firstSentence(description: string): string {
  const [sentence = ""] = /^.*?[.](?=\s|$)/s.exec(description.trim()) ?? [description.trim()];
  return sentence.replaceAll(/\s+/g, " ").replaceAll("`", "").replace(/\.$/, "");
}
