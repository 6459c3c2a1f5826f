import { type IDataObject, type IExecuteFunctions, tryToParseDateTime } from "n8n-workflow";
import { callParley, listRecords, type ParleyRecord } from "../shared/request.ts";
import type { Resource } from "./resources/index.ts";
import { timeFilters } from "./resources/resource.ts";

type Operation = (context: IExecuteFunctions, item: number, resource: Resource) => Promise<ParleyRecord[]>;

/** The operations by name. Each returns records. */
export const operations: Record<string, Operation> = {
  async create(context, item, { plural, create, toBody = (fields) => fields }) {
    const required = (create?.required ?? []).map(({ name }) => [name, context.getNodeParameter(name, item)]);
    const optional = context.getNodeParameter("additionalFields", item) as IDataObject;
    const body = toBody({ ...Object.fromEntries(required), ...filledIn(optional) });
    const request = { method: "POST", path: `/api/v1/${plural}`, body } as const;
    return [(await callParley(context, request)).data];
  },

  async get(context, item, resource) {
    return [(await callParley(context, { path: pathOf(context, item, resource) })).data];
  },

  async getAll(context, item, { plural }) {
    const filters = filledIn(context.getNodeParameter("filters", item) as IDataObject);
    for (const { name } of timeFilters) {
      const time = filters[name];
      if (time) filters[name] = tryToParseDateTime(time, context.getTimezone()).toUTC().toISO();
    }
    const all = context.getNodeParameter("returnAll", item) as boolean;
    const limit = all ? undefined : (context.getNodeParameter("limit", item) as number);
    return listRecords(context, `/api/v1/${plural}`, filters, limit);
  },

  async update(context, item, resource) {
    const fields = context.getNodeParameter("updateFields", item) as IDataObject;
    const body = resource.toBody?.(fields) ?? fields;
    const request = { method: "PATCH", path: pathOf(context, item, resource), body } as const;
    return [(await callParley(context, request)).data];
  },
};

function pathOf(context: IExecuteFunctions, item: number, { plural }: Resource): string {
  const id = context.getNodeParameter("id", item) as string;
  return `/api/v1/${plural}/${encodeURIComponent(id)}`;
}

/** Removes optional fields that the user added and left empty. */
function filledIn(fields: IDataObject): IDataObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}
