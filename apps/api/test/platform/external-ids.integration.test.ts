import { once } from "node:events";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import { useApi } from "../../src/testing/api-server.ts";
import { createPlatform, itemTypes, type Platform, sampleItem, samples } from "../../src/testing/platform.ts";

const api = useApi();
let platform: Platform;
beforeEach(async () => {
  platform = await createPlatform(api);
});

describe("an external id", () => {
  test.each([
    ["with slashes", "chat/2026/03/01#17"],
    ["of slashes only", "//"],
    ["that looks like a path", "../leads/crm-1"],
    ["that looks like a query", "a?b=c&d"],
    ["that looks percent-encoded", "%2F%00%zz"],
    ["with a plus and a space", "a+b c"],
    ["of one space", " "],
    ["with line breaks", "a\r\nb"],
    ["with quotes", `'; DROP TABLE leads; --"\\`],
    ["with wildcards", "%_*"],
    ["of other scripts", "Žluťoučký-кот-猫-قطة"],
    ["of emoji", "🦊👩‍👩‍👧"],
    ["with dots", "..."],
    ["that every object has", "constructor"],
    ["that is a prototype", "__proto__"],
    ["of 200 characters", "x".repeat(200)],
    ["of 200 characters outside the basic plane", "🦊".repeat(200)],
  ])("%s identifies one record in paths, in batches and in references", async (_name, externalId) => {
    const { data, result } = await platform.put("chatbot", externalId, samples.chatbot);
    expect(result).toBe("created");
    expect(await platform.put("chatbot", externalId, samples.chatbot)).toEqual({ data, result: "unchanged" });
    const batch = await platform.batch([sampleItem("chatbot", externalId)]);
    const line = { index: 0, result: "unchanged", type: "chatbot", external_id: externalId, id: data.id };
    expect(batch.data).toEqual([line]);
    const lead = await platform.put("lead", externalId, { chatbot_external_id: externalId });
    expect(lead.data.attributes.chatbot_id).toBe(data.id);
    expect(await platform.count("chatbot")).toBe(2);
  });

  test.each([
    ["capitals and small letters", "CRM-1", "crm-1"],
    ["composed and decomposed letters", "caf\u00e9", "cafe\u0301"],
    ["a space at the end and none", "crm-1 ", "crm-1"],
    ["a zero in front and none", "007", "7"],
  ])("distinguishes %s", async (_name, one, other) => {
    const first = await platform.put("lead", one, samples.lead);
    const second = await platform.put("lead", other, samples.lead);
    expect([first.result, second.result]).toEqual(["created", "created"]);
    expect(second.data.id).not.toBe(first.data.id);
    expect((await platform.put("lead", one, samples.lead)).data.id).toBe(first.data.id);
  });

  test.each([".", ".."])(
    "%s identifies a record in batches, and in paths that are not normalized",
    async (externalId) => {
      const { data } = await platform.batch([sampleItem("lead", externalId)]);
      expect(data).toMatchObject([{ result: "created", external_id: externalId }]);
      // URL libraries resolve dots even where they are percent-encoded, so this one is written by hand.
      const sent = request(api.url, {
        method: "PUT",
        path: `/api/platform/v1/organizations/${platform.tenant.organizationId}/leads/${externalId.replaceAll(".", "%2E")}`,
        headers: { authorization: `Bearer ${api.platformKey}`, "content-type": "application/json" },
      }).end(JSON.stringify(samples.lead));
      const [response] = await once(sent, "response");
      expect(await json(response)).toMatchObject({
        data: { id: data[0] && "id" in data[0] && data[0].id },
        meta: { result: "unchanged" },
      });
    },
  );

  test.each([
    ["201 characters", "x".repeat(201), "params/external_id must have at most 200 characters"],
    ["201 emoji", "🦊".repeat(201), "params/external_id must have at most 200 characters"],
    [
      "a NUL character",
      "a\0b",
      "params/external_id must not contain a NUL character or an unpaired surrogate",
    ],
  ])("of %s is rejected", async (_name, externalId, message) => {
    expect(await platform.refusal("lead", externalId, samples.lead)).toBe(message);
    expect(await platform.count("lead")).toBe(0);
  });

  test("is not the ID in the API", async () => {
    const bot = await platform.put("chatbot", "bot", samples.chatbot);
    const message = "body/chatbot_external_id must be the external_id of a chatbot of the organization";
    expect(await platform.refusal("lead", "ada", { chatbot_external_id: bot.data.id })).toBe(message);
    const namesake = await platform.put("chatbot", bot.data.id, samples.chatbot);
    expect(namesake.result).toBe("created");
    expect(namesake.data.id).not.toBe(bot.data.id);
  });
});

describe("the same external id", () => {
  test("identifies a record of each type", async () => {
    const { data, meta } = await platform.batch(itemTypes.map((type) => sampleItem(type, "same")));
    expect(meta).toMatchObject({ created: itemTypes.length });
    expect(new Set(data.map((line) => "id" in line && line.id)).size).toBe(itemTypes.length);
  });

  test.each(itemTypes)("identifies a %s in each organization", async (type) => {
    const other = await createPlatform(api);
    const mine = await platform.put(type, "same", samples[type]);
    await platform.events();
    const theirs = await other.put(type, "same", samples[type]);
    expect(theirs.result).toBe("created");
    expect(theirs.data.id).not.toBe(mine.data.id);
    expect(await platform.put(type, "same", samples[type])).toEqual({ data: mine.data, result: "unchanged" });
    expect(await platform.events()).toEqual([]);
  });
});
