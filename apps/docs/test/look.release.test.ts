/** The accessibility of the whole reference, which takes minutes. look.drill.test.ts checks a section of each kind. */
import { hasChromium } from "@parley/testing/chromium";
import { expect, onTestFinished, test } from "vitest";
import { colorRules, cutOff, faultsOf, looks } from "./reference-look.ts";
import { startReference } from "./reference-page.ts";

test.skipIf(!hasChromium).each(looks)(
  "the whole reference is accessible: $colorScheme, $width px",
  { timeout: 900_000 },
  async ({ colorScheme, width }) => {
    const reference = await startReference();
    onTestFinished(() => reference.close());
    const shown = await reference.open({ colorScheme, viewport: { width, height: 900 } });
    // Both color schemes have the same elements, so the dark scheme only needs the rules about colors.
    const faults = await faultsOf(shown, ["html"], colorScheme === "dark" ? colorRules : undefined);
    expect({ cut: await cutOff(shown), faults }).toEqual({ cut: [], faults: [] });
  },
);
