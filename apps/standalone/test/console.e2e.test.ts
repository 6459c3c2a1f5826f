/** The console in a browser, with the server of `npm start`. Other looks and users are in console.drill.test.ts. */
import { hasChromium } from "@parley/testing/chromium";
import { flawless } from "@parley/testing/page-tester";
import { expect, test } from "vitest";
import { repairWebhook, startConsole } from "./console-fixture.ts";

test.skipIf(!hasChromium)("an admin repairs a webhook in the console", { timeout: 300_000 }, async () => {
  const fixture = await startConsole();
  try {
    expect(await repairWebhook(fixture, { colorScheme: "light", width: 1280 })).toEqual(flawless);
  } finally {
    await fixture.close();
  }
});
