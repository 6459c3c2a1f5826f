import { expect, test, vi } from "vitest";
import { print, printEach } from "./print.ts";
import { fields, table } from "./table.ts";

const hostile = "\u001B[2J\u009B31m\u202Eevil\nline";

function printed(run: () => void): string {
  const log = vi.spyOn(console, "log").mockReturnValue();
  run();
  const text = log.mock.calls.map(([text]) => String(text)).join("");
  log.mockRestore();
  return text;
}

test.each<[name: string, run: () => void]>([
  ["a table", () => print(false, null, () => table([{ [hostile]: hostile }], "none"))],
  ["fields", () => print(false, null, () => fields({ [hostile]: hostile }))],
  ["text", () => print(false, null, () => hostile)],
  ["JSON", () => print(true, { [hostile]: hostile }, () => "")],
  ["a line of JSON", () => printEach(true, { [hostile]: hostile }, "")],
])("no control character of a name is printed: %s", (_name, run) => {
  expect(printed(run)).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
});

test("JSON with control characters stays the same", () => {
  expect(JSON.parse(printed(() => print(true, { [hostile]: hostile }, () => "")))).toEqual({
    [hostile]: hostile,
  });
});
