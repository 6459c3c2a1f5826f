import { apiVersion, type Schemas } from "@parley/contract";

/** Returns the envelope of a single record: `data`, and `meta` with the API version. */
export function item<Data>(data: Data): { data: Data; meta: Schemas["Meta"] } {
  return { data, meta: { api_version: apiVersion } };
}

/** Returns the envelope of one page of `total` records. */
export function page<Data>(
  data: Data[],
  { total, limit, offset }: { total: number; limit: number; offset: number },
): { data: Data[]; meta: Schemas["PageMeta"] } {
  const count = data.length;
  return {
    data,
    meta: { api_version: apiVersion, total, limit, offset, has_more: offset + count < total, count },
  };
}

/** Returns the envelope of a list without pagination. */
export function list<Data>(data: Data[]): { data: Data[]; meta: Schemas["ListMeta"] } {
  return { data, meta: { api_version: apiVersion, total: data.length, count: data.length } };
}
