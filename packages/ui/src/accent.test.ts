import { expect, test } from "vitest";
import { accentTokens, createBrand } from "./index.ts";

// brand.e2e.test.ts checks the contrast of the results with axe.
test.each([
  // A color that is readable already stays as it is.
  ["#0b6b62", { light: "#0b6b62", dark: "#5c9c96" }],
  ["#5ec9bc", { light: "#37776f", dark: "#5ec9bc" }],
  ["#000000", { light: "#000000", dark: "#919191" }],
  ["#ffffff", { light: "#6b6b6b", dark: "#ffffff" }],
  ["#FFFF00", { light: "#707000", dark: "#ffff00" }],
  ["#ff0000", { light: "#db0000", dark: "#ff5454" }],
])("%s becomes %o", (accent, { light, dark }) => {
  expect(accentTokens(accent)).toEqual({
    light: { "--accent": light, "--on-accent": "#ffffff" },
    dark: { "--accent": dark, "--on-accent": "#141a1e" },
  });
});

test("a brand without a color has the colors of the stylesheet", () => {
  const { styles } = createBrand({ name: "Acme" });
  expect(createBrand({ name: "Acme", accent: "#ff0000" }).styles).toBe(
    `${styles}\n:root{--accent:#db0000;--on-accent:#ffffff}@media (prefers-color-scheme:dark){:root{--accent:#ff5454;--on-accent:#141a1e}}`,
  );
});
