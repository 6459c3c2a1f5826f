import { runProcess } from "@parley/command-line";
import { runCommandLine } from "./run-command-line.ts";

await runProcess(runCommandLine);
