import type { components } from "../../src/generated/schema.ts";
import type { TestResponse } from "./server.ts";

type Schemas = components["schemas"];

const meta = { api_version: "2024-01-01" } as const;

/** Returns a lead with the given ID. */
export function leadFixture(id: string): Schemas["Lead"] {
  const at = "2026-03-01T09:00:00.000Z";
  return {
    id,
    type: "lead",
    attributes: {
      contact: { name: "Ada Novak", email: "ada@example.com", phone: null, company: null },
      chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001",
      status: "new",
      score: 40,
      qualification: {},
      source: null,
      created_at: at,
      updated_at: at,
      qualified_at: null,
      converted_at: null,
    },
  };
}

/** Returns a response with the envelope `{ data, meta }`. */
export function dataResponse(data: unknown): TestResponse {
  return { body: { data, meta } };
}

/** Returns the page of `total` leads that the query of the URL selects. */
export function leadPageResponse(url: string, total: number): TestResponse {
  return pageResponse(
    url,
    Array.from({ length: total }, (_, index) => leadFixture(`lead-${index}`)),
  );
}

/** Returns the page of the records that the query of the URL selects. A cursor is the number of records before the page. */
export function pageResponse(url: string, records: readonly unknown[]): TestResponse {
  const query = new URL(url, "http://localhost").searchParams;
  const limit = Number(query.get("limit") ?? 20);
  const offset = Number(query.get("cursor") ?? query.get("offset") ?? 0);
  const data = records.slice(offset, offset + limit);
  const [total, count] = [records.length, data.length];
  const has_more = offset + count < total;
  const next_cursor = has_more ? String(offset + count) : null;
  return { body: { data, meta: { ...meta, total, limit, offset, has_more, count, next_cursor } } };
}

/** Returns a response with an error body. */
export function errorResponse(
  status: number,
  error: string,
  headers: Record<string, string> = {},
): TestResponse {
  return { status, headers, body: { error, error_description: `Because of ${error}.` } };
}

/** Returns a response of the token endpoint with numbered tokens. */
export function tokenResponse(number: number): TestResponse {
  const body: Schemas["TokenResponse"] = {
    access_token: `parley_at_${number}`,
    refresh_token: `parley_rt_${number}`,
    token_type: "Bearer",
    expires_in: 3600,
    scope: "leads:read webhooks:manage",
    api_base_url: "https://parley.example.com",
  };
  return { body, headers: { "cache-control": "no-store" } };
}
