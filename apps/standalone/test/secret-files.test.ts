import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "@parley/config";
import { makeTestFolder } from "@parley/testing/test-folder";
import { expect, it } from "vitest";
import { z } from "zod";

const folder = makeTestFolder();
const variables = z.object({
  TOKEN: z.string().min(8, "must have at least 8 characters").meta({ description: "A token.", secret: true }),
  COLOR: z.string().default("red").describe("A color."),
});

/** Writes a file and returns its path. */
function fileWith(content: string | Uint8Array, name = "token"): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function problemWith(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(variables, environment);
  } catch (error) {
    return (error as Error).message.split("\n\n")[1]?.split("\n")[0]?.trim() ?? "";
  }
  throw new Error("It was accepted.");
}

it.each([
  ["without a line break", "hunter2hunter2"],
  ["with a line break", "hunter2hunter2\n"],
  ["with a line break of Windows", "hunter2hunter2\r\n"],
])("reads a secret from a file %s", (_, content) => {
  expect(readConfig(variables, { TOKEN_FILE: fileWith(content) }).TOKEN).toBe("hunter2hunter2");
});

it("removes only one line break and keeps spaces", () => {
  expect(readConfig(variables, { TOKEN_FILE: fileWith(" hunter2 \n\n") }).TOKEN).toBe(" hunter2 \n");
});

it("counts an empty variable as not set, with or without _FILE", () => {
  const TOKEN_FILE = fileWith("from the file");
  expect(readConfig(variables, { TOKEN: "", TOKEN_FILE }).TOKEN).toBe("from the file");
  expect(readConfig(variables, { TOKEN: "from the variable", TOKEN_FILE: "" }).TOKEN).toBe(
    "from the variable",
  );
});

it("reads only secrets from files", () => {
  const environment = { TOKEN: "hunter2hunter2", COLOR_FILE: fileWith("blue") };
  expect(readConfig(variables, environment).COLOR).toBe("red");
});

it("rejects a secret that is set twice", () => {
  const TOKEN_FILE = fileWith("hunter2hunter2");
  expect(problemWith({ TOKEN: "hunter3hunter3", TOKEN_FILE })).toBe(
    `TOKEN_FILE cannot be used: TOKEN is also set; remove one of the two (${TOKEN_FILE}).`,
  );
});

it.each([
  ["it is empty", () => fileWith("\n")],
  ["it is larger than 65536 bytes", () => fileWith("hunter2".repeat(10_000))],
  ["it is not text in UTF-8", () => fileWith(Uint8Array.of(104, 117, 255))],
  ["it does not exist", () => join(folder, "missing")],
  ["a part of the path is not a folder", () => join(fileWith("hunter2"), "below")],
  [
    "it is not a regular file",
    () => {
      mkdirSync(join(folder, "folder"), { recursive: true });
      return join(folder, "folder");
    },
  ],
])("rejects a file: %s", (reason, create) => {
  const TOKEN_FILE = create();
  expect(problemWith({ TOKEN_FILE })).toBe(`TOKEN_FILE cannot be used: ${reason} (${TOKEN_FILE}).`);
});

it("names the file of an invalid value, and does not show the value", () => {
  const TOKEN_FILE = fileWith("hunter2");
  expect(problemWith({ TOKEN_FILE })).toBe(
    `TOKEN must have at least 8 characters (received 7 characters from ${TOKEN_FILE}, not shown).`,
  );
});

it("reports a file together with other invalid variables", () => {
  const other = z.object({
    ...variables.shape,
    SIZE: z.string({ error: "must be text" }).describe("A size."),
  });
  expect(() => readConfig(other, { TOKEN_FILE: "/nowhere" })).toThrow(
    /TOKEN_FILE cannot be used[\s\S]*SIZE is required but not set/,
  );
});
