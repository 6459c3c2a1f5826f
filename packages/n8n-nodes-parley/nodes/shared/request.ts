import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  NodeApiError,
} from "n8n-workflow";

export const credentialType = "parleyOAuth2Api";

type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

interface ParleyRequest {
  method?: IHttpRequestMethods;
  /** For example `/api/v1/leads`. */
  path: string;
  query?: IDataObject;
  body?: IDataObject;
}

/** A record, or another object in `data`. */
export type ParleyRecord = IDataObject & { id: string };

interface Envelope<Data> {
  data: Data;
  meta: { next_cursor?: string | null };
}

/**
 * Calls the API on the user's behalf.
 *
 * @throws NodeApiError with Parley's description
 */
export async function callParley<Data = ParleyRecord>(
  context: Context,
  { method = "GET", path, query, body }: ParleyRequest,
): Promise<Envelope<Data>> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>(credentialType);
  try {
    return await context.helpers.httpRequestWithAuthentication.call(context, credentialType, {
      method,
      url: `${baseUrl.replace(/\/+$/, "")}${path}`,
      json: true,
      ...(query && { qs: query }),
      ...(body && { body }),
    });
  } catch (error) {
    throw withParleysDescription(context, error as NodeApiError);
  }
}

function withParleysDescription(context: Context, error: NodeApiError): NodeApiError {
  const response = (error.context?.["data"] ?? {}) as { error?: string; error_description?: string };
  const { error: description, error_description: message } = response;
  if (!description || !message) return error;
  const { httpCode } = error;
  return new NodeApiError(context.getNode(), response, {
    message,
    description,
    ...(httpCode && { httpCode }),
  });
}

/** Returns all records of a list, or the first `limit`. Requests one page at a time. */
export async function listRecords<Item = ParleyRecord>(
  context: Context,
  path: string,
  filters: IDataObject = {},
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const records: Item[] = [];
  for (let next: IDataObject | undefined = {}; next && records.length < limit; ) {
    const query: IDataObject = { ...filters, ...next, limit: Math.min(100, limit - records.length) };
    const { data, meta } = await callParley<Item[]>(context, { path, query });
    records.push(...data);
    next = meta.next_cursor ? { cursor: meta.next_cursor } : undefined;
  }
  return records;
}
