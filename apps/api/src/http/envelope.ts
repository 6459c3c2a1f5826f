import { apiVersion, type Schemas } from "@parley/contract";

/** Envelope of a single record, specification §2.1. */
export function item<Data>(data: Data): { data: Data; meta: Schemas["Meta"] } {
  return { data, meta: { api_version: apiVersion } };
}

/** Envelope of one page of `total` records, specification §2.1. */
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

/** Envelope of a list that comes whole. */
export function list<Data>(data: Data[]): { data: Data[]; meta: Schemas["ListMeta"] } {
  return { data, meta: { api_version: apiVersion, total: data.length, count: data.length } };
}
