/** Records the contract as the baseline that `baseline.test.ts` compares later versions with: `npm run contract:baseline`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutTexts } from "./compare.ts";
import { description } from "./description.ts";

writeFileSync(
  join(import.meta.dirname, "../baseline.json"),
  `${JSON.stringify(withoutTexts(description))}\n`,
);
