import type { Bench } from "./bench.ts";
import type { Child, ChildOptions } from "./child.ts";
import type { RealWorker } from "./real-worker.ts";

/** Parley's worker, with the option of Node that docs/operating.md starts it with. */
export function startRealWorker(bench: Bench, options: ChildOptions = {}): Child<RealWorker> {
  const execArgv = ["--max-semi-space-size=32"];
  return bench.start<RealWorker>("harness/real-worker.ts", { execArgv, ...options });
}
