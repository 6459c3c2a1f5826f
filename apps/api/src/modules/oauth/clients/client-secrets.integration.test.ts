import { hashToken } from "@parley/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, errorOf, type OAuthFixture, startOAuthFixture } from "../testing/fixture.ts";

let fixture: OAuthFixture;
beforeAll(async () => {
  fixture = await startOAuthFixture();
});
afterAll(() => fixture.close());

const grant = { grant_type: "refresh_token", refresh_token: "x" };
/** Returns `400 invalid_grant` if the secret was accepted. */
const answerTo = async (client_secret: string) => errorOf(await fixture.token({ ...grant, client_secret }));

test("accepts a rotated secret until it expires, in addition to the new one", async () => {
  const clientId = client.client_id;
  const secretHash = hashToken(client.client_secret);
  const expiresIn = (ms: number) =>
    fixture.db.oAuthClientSecret.update({
      where: { secretHash },
      data: { expiresAt: new Date(Date.now() + ms) },
    });
  await fixture.db.oAuthClientSecret.create({ data: { clientId, secretHash: hashToken("the new one") } });
  await expiresIn(60_000);
  expect(await answerTo(client.client_secret)).toBe("400 invalid_grant");
  expect(await answerTo("the new one")).toBe("400 invalid_grant");

  await expiresIn(-1);
  expect(await answerTo(client.client_secret)).toBe("401 invalid_client");
  expect(await answerTo("the new one")).toBe("400 invalid_grant");
});
