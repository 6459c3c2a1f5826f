/** Code samples of every operation, built from the operation's examples in the contract. */
import { type Contract, callsOf } from "./calls.ts";
import { curlSample } from "./curl-sample.ts";
import { goSample } from "./go-sample.ts";
import { phpSample } from "./php-sample.ts";
import { pythonSample } from "./python-sample.ts";
import { typescriptSample } from "./typescript-sample.ts";

/**
 * Returns a copy of the contract with `x-codeSamples`: curl, TypeScript, Python, PHP and Go. The samples read `ACCESS_TOKEN` or `PLATFORM_KEY`
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
      { lang: "Python", label: "Python", source: pythonSample(calls, server) },
      { lang: "PHP", label: "PHP", source: phpSample(calls, server) },
      { lang: "Go", label: "Go", source: goSample(calls, server) },
    ];
  }
  return copy;
}
