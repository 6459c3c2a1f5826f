export { duration, moment } from "./duration.ts";
export { Failure } from "./failure.ts";
export { print, printEach, printLine, printNote, printStack } from "./print.ts";
export { commandLine, runProcess } from "./run-command-line.ts";
export { several } from "./several.ts";
export { showUsageAfterErrors } from "./show-usage-after-errors.ts";
export { fields, type Row, table } from "./table.ts";
export { visible } from "./visible.ts";
export { withExamples } from "./with-examples.ts";
