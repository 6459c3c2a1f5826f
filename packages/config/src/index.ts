export { defaultOf, exampleOf, isSecret, markdownExampleOf, meaningOf } from "./describe-variable.ts";
export { isLocalHost } from "./local-host.ts";
export { productVersion } from "./product-version.ts";
export type { Program } from "./program.ts";
export { readConfig } from "./read-config.ts";
export { explain, run } from "./run.ts";
export { secretNames } from "./secret-files.ts";
export { stopOnSignal } from "./stop-on-signal.ts";
export { integer, logVariables, stopVariables, toggle } from "./variables.ts";
