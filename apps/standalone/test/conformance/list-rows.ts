import { beforeAll, describe, expect, test } from "vitest";
import type { Account, Item, Resource, Service } from "./service.ts";

interface List {
  path: string;
  defaultLimit: number;
  /** The running service, once the tests run. */
  service: () => Service;
  /** Record number n of 101. */
  item: (n: number) => Item;
}

/** Declares the tests of pagination, which all lists share. */
export function pageRows({ path, defaultLimit, service, item }: List): void {
  describe("pages", () => {
    let account: Account;
    beforeAll(async () => {
      account = await service().createAccount("business");
      // The chatbots of the account count in the list of chatbots.
      const there = item(0)[0] === "chatbot" ? 2 : 0;
      await account.write(...Array.from({ length: 101 - there }, (_, n) => item(n)));
    });

    const read = (query: string) => account.call<Resource[]>("GET", `${path}${query}`);
    const metaOf = (members: { has_more: boolean; [name: string]: unknown }) => ({
      api_version: "2024-01-01",
      total: 101,
      next_cursor: members.has_more ? expect.any(String) : null,
      ...members,
    });

    test(`a page has ${defaultLimit} records by default, starting with the first`, async () => {
      const { body } = await read("");
      const page = { limit: defaultLimit, offset: 0, has_more: true, count: defaultLimit };
      expect(body.meta).toEqual(metaOf(page));
      expect(body.data).toHaveLength(defaultLimit);
    });

    test.each([1, 2, 100])("limit may be 1 to 100: %i", async (limit) => {
      const { status, body } = await read(`?limit=${limit}`);
      expect(status).toBe(200);
      expect(body.meta).toEqual(metaOf({ limit, offset: 0, has_more: true, count: limit }));
      expect(body.data).toHaveLength(limit);
    });

    test.each(["0", "101", "-1", "1.5", "ten", ""])(
      "another limit is 400 invalid_request, with the bounds: '%s'",
      async (limit) => {
        const { status, body } = await read(`?limit=${limit}`);
        expect([status, body.error]).toEqual([400, "invalid_request"]);
        expect(body.error_description).toMatch(/limit.*\b1\b.*\b100\b/);
      },
    );

    test.each(["-1", "1.5", "ten"])(
      "an offset that is not an integer of 0 or more is 400 invalid_request: '%s'",
      async (offset) => {
        const { status, body } = await read(`?offset=${offset}`);
        expect([status, body.error]).toEqual([400, "invalid_request"]);
        expect(body.error_description).toMatch(/offset.*\b0\b/);
      },
    );

    test.each([
      { offset: 0, limit: 100, count: 100, has_more: true },
      { offset: 1, limit: 100, count: 100, has_more: false },
      { offset: 100, limit: 100, count: 1, has_more: false },
      { offset: 101, limit: 100, count: 0, has_more: false },
      { offset: 500, limit: 100, count: 0, has_more: false },
      { offset: 99, limit: 1, count: 1, has_more: true },
      { offset: 100, limit: 1, count: 1, has_more: false },
    ])("offset $offset and limit $limit of 101 records: count $count, has_more $has_more", async (page) => {
      const { body } = await read(`?limit=${page.limit}&offset=${page.offset}`);
      expect(body.meta).toEqual(metaOf(page));
      expect(body.data).toHaveLength(page.count);
    });

    test("the pages together hold each record once, in the order of one list", async () => {
      const ids = async (query: string) => (await read(query)).body.data.map(({ id }) => id);
      const pages = await Promise.all([0, 40, 80].map((offset) => ids(`?limit=40&offset=${offset}`)));
      expect(new Set(pages.flat()).size).toBe(101);
      expect(pages.flat().slice(0, 100)).toEqual(await ids("?limit=100"));
    });
  });
}

/**
 * Declares the tests of filters, for records that belong to a chatbot.
 *
 * @param item a record of the chatbot with this external id, in its first state or changed
 */
export function filterRows(
  path: string,
  service: () => Service,
  item: (externalId: string, chatbot: string, changed: boolean) => Item,
): void {
  describe("filters", () => {
    let account: Account;
    /** Of `bot`, of `bot` and of `other-bot`. */
    let records: string[];
    beforeAll(async () => {
      account = await service().createAccount("business");
      records = [];
      for (const [externalId, chatbot] of [
        ["one", "bot"],
        ["two", "bot"],
        ["three", "other-bot"],
      ] as const) {
        records.push(...(await account.write(item(externalId, chatbot, false))));
      }
    });

    const read = (query: Record<string, string>) =>
      account.call<Resource[]>("GET", `${path}?${new URLSearchParams(query)}`);
    async function idsOf(query: Record<string, string>): Promise<string[]> {
      const { body } = await read(query);
      expect(body.meta).toMatchObject({ total: body.data.length, count: body.data.length, has_more: false });
      return body.data.map(({ id }) => id).sort();
    }
    async function updatedAt(id: string | undefined): Promise<string> {
      const { data } = (await account.call("GET", `${path}/${id}`)).body;
      return String(data.attributes["updated_at"]);
    }

    test("without a filter the list holds every record of the organization and no other", async () => {
      expect(await idsOf({})).toEqual([...records].sort());
    });

    test("chatbot_id restricts to one chatbot", async () => {
      expect(await idsOf({ chatbot_id: account.bot })).toEqual(records.slice(0, 2).sort());
      expect(await idsOf({ chatbot_id: account.otherBot })).toEqual(records.slice(2));
    });

    test("an unknown chatbot_id gives an empty list", async () => {
      expect(await idsOf({ chatbot_id: "01928c5e-7a10-7c44-8d21-0b6de2f0a001" })).toEqual([]);
    });

    test("since returns only records that were updated at that time or later, whenever they were created", async () => {
      const before = await updatedAt(records[2]);
      expect(await idsOf({ since: before })).toEqual(records.slice(2));
      await account.write(item("one", "bot", true));
      const after = await updatedAt(records[0]);
      expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
      expect(await idsOf({ since: after })).toEqual(records.slice(0, 1));
      expect(await idsOf({ since: new Date(Date.parse(after) + 1).toISOString() })).toEqual([]);
    });

    test("since takes an ISO 8601 timestamp with Z or an offset", async () => {
      expect(await idsOf({ since: "2020-01-01T00:00:00Z" })).toHaveLength(3);
      expect(await idsOf({ since: "2020-01-01T02:00:00.000+02:00" })).toHaveLength(3);
      expect(await idsOf({ since: "2999-01-01T00:00:00Z" })).toEqual([]);
    });

    test.each(["yesterday", "1772359200", "2026-13-01T00:00:00Z", "2026-03-01T00:00:00"])(
      "since in another form is 400 invalid_request: %s",
      async (since) => {
        const { status, body } = await read({ since });
        expect([status, body.error]).toEqual([400, "invalid_request"]);
        expect(body.error_description).toContain("since");
      },
    );

    test("filters are combined", async () => {
      expect(await idsOf({ chatbot_id: account.otherBot, since: await updatedAt(records[0]) })).toEqual([]);
      expect(await idsOf({ chatbot_id: account.bot, since: await updatedAt(records[0]) })).toEqual(
        records.slice(0, 1),
      );
    });
  });
}

/** Declares the tests of the status filter. */
export function statusRows(
  path: string,
  service: () => Service,
  statuses: string[],
  item: (externalId: string, status: string) => Item,
): void {
  describe("states", () => {
    let account: Account;
    let ids: string[];
    beforeAll(async () => {
      account = await service().createAccount("business");
      ids = await account.write(...statuses.map((status) => item(status, status)));
    });

    test.each(statuses)("a record may be %s, and status restricts to it", async (status) => {
      const { body } = await account.call<Resource[]>("GET", `${path}?status=${status}`);
      expect(body.meta).toMatchObject({ total: 1, count: 1 });
      expect(body.data).toMatchObject([{ id: ids[statuses.indexOf(status)], attributes: { status } }]);
    });

    test("another status is 400 invalid_request", async () => {
      const { status, body } = await account.call("GET", `${path}?status=unheard-of`);
      expect([status, body.error]).toEqual([400, "invalid_request"]);
    });
  });
}
