/** Code samples of every operation, built from the operation's examples in the contract. */
import { type Contract, callsOf } from "./calls.ts";
import { curlSample } from "./curl-sample.ts";
import { typescriptSample } from "./typescript-sample.ts";

/**
 * Returns a copy of the contract with `x-codeSamples`: curl and TypeScript. The samples read `ACCESS_TOKEN` or `PLATFORM_KEY`
 * from the environment.
 *
 * @param server the root address in the samples
 */
export function withSamples(contract: Contract, server: string): Contract {
  const copy = structuredClone(contract);
  for (const [operation, calls] of callsOf(copy)) {
    operation["x-codeSamples"] = [
      { lang: "Shell", label: "curl", source: curlSample(calls, server) },
      { lang: "JavaScript", label: "TypeScript", source: typescriptSample(calls, server) },
    ];
  }
  return copy;
}
