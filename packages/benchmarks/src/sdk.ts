/** Size of the SDK, and speed of its verification, beside others. See README.md. */
import { runBench } from "./harness/bench.ts";
import { measureSizes } from "./sdk/sizes.ts";
import { measureVerification } from "./sdk/verification.ts";

await runBench(async ({ quick }) => {
  await measureSizes();
  for (const bytes of [1000, 20_000]) await measureVerification(bytes, quick);
});
