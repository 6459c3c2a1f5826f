import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@parley/config";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { brandVariables } from "./brand-variables.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-brand-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (environment: Record<string, string>) => readConfig(z.object(brandVariables), environment);

/** Writes a file and reads it as the logo. */
function readLogo(content: string | Buffer) {
  const path = join(folder, "logo");
  writeFileSync(path, content);
  return read({ CONSOLE_LOGO: path }).CONSOLE_LOGO;
}

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(10)]);

describe("the logo", () => {
  test.each<[string, string | Buffer, string]>([
    ["a PNG", png, "image/png"],
    ["an SVG", "<svg></svg>", "image/svg+xml"],
    ["an SVG with line breaks", '\n<svg\n xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"],
    [
      "an SVG of a drawing program",
      `\uFEFF<?xml version="1.0"?>\n<!-- Made by x -->\n<svg/>`,
      "image/svg+xml",
    ],
    ["an SVG of 50,000 bytes", `<svg>${" ".repeat(49_989)}</svg>`, "image/svg+xml"],
  ])("can be %s", (_name, content, type) => {
    expect(readLogo(content)).toEqual({ type, data: Buffer.from(content) });
  });

  test.each<[string, string | Buffer, string]>([
    ["an empty file", "", "must be an SVG or PNG file"],
    ["a JPEG", Buffer.from("ffd8ffe000104a464946", "hex"), "must be an SVG or PNG file"],
    ["HTML", "<html><svg></svg></html>", "must be an SVG or PNG file"],
    ["a text about an SVG", "logo <svg></svg>", "must be an SVG or PNG file"],
    [
      "more than 50 kB",
      `<svg>${" ".repeat(49_990)}</svg>`,
      "must be a file of up to 50000 bytes, and the file has 50001",
    ],
  ])("cannot be %s", (_name, content, problem) => {
    expect(() => readLogo(content)).toThrow(`CONSOLE_LOGO ${problem} (received `);
  });

  test.each(["/no/such/file.svg", "/"])("cannot be at %s", (path) => {
    expect(() => read({ CONSOLE_LOGO: path })).toThrow(
      `CONSOLE_LOGO must be the path of a file that this process can read (received "${path}").`,
    );
  });
});

test.each([["A"], ["Acme & Söhne 聊天"], ["🇪🇺".repeat(20)]])("the name can be %s", (name) => {
  expect(read({ CONSOLE_NAME: name })).toEqual({ CONSOLE_NAME: name });
});

test.each([["x".repeat(41)], ["Acme\nChat"]])("the name cannot be %j", (name) => {
  expect(() => read({ CONSOLE_NAME: name })).toThrow("CONSOLE_NAME must have 1 to 40 characters");
});

test.each(["red", "#fff", "0b6b62", "#0b6b6g", "#0b6b62;}"])("the color cannot be %s", (color) => {
  expect(() => read({ CONSOLE_ACCENT: color })).toThrow("CONSOLE_ACCENT must be a color like #0b6b62");
});

test("without variables, the name is Parley", () => {
  expect(read({})).toEqual({ CONSOLE_NAME: "Parley" });
});
