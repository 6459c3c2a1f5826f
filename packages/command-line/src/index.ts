export { duration, moment } from "./duration.ts";
export { Failure } from "./failure.ts";
export { print } from "./print.ts";
export { commandLine, runProcess } from "./run-command-line.ts";
export { several } from "./several.ts";
export { showUsageAfterErrors } from "./show-usage-after-errors.ts";
export { fields, type Row, table, visible } from "./table.ts";
export { withExamples } from "./with-examples.ts";
