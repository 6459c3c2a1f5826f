import { makeTestFolder } from "@parley/testing/test-folder";
import { expect, test } from "vitest";
import { storedEncryptionKey, storedPlatformKey, storedWebhookSecret } from "../src/stored-secrets.ts";

test.each([storedEncryptionKey, storedPlatformKey, storedWebhookSecret])(
  "%o returns the same secret at the next start, and another one for another folder",
  (stored) => {
    const [folder, other] = [makeTestFolder(), makeTestFolder()];
    const first = stored(folder);
    expect(first.length).toBeGreaterThan(32);
    expect([stored(folder), stored(other) === first]).toEqual([first, false]);
  },
);
