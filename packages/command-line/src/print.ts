import { inspect } from "node:util";
import { withoutControls } from "./visible.ts";

/** Prints a result: one JSON document for programs, or text for people. */
export function print(json: boolean | undefined, data: unknown, text: () => string): void {
  printLine(json ? JSON.stringify(data, null, 2) : text());
}

/** Prints one line: JSON for programs, or text for people. */
export function printEach(json: boolean | undefined, data: unknown, text: string): void {
  printLine(json ? JSON.stringify(data) : text);
}

/** Prints text on standard output. Names and errors of a server in it cannot control the terminal. */
export function printLine(text: string): void {
  console.log(withoutControls(text));
}

/** Prints text on standard error: what is not part of the result. */
export function printNote(text: string): void {
  console.error(withoutControls(text));
}

/** Prints with the log level `debug` where an error comes from. */
export function printStack(error: unknown): void {
  if (process.env["LOG_LEVEL"] === "debug") printNote(inspect(error));
}
