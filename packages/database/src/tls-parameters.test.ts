import { readConfig } from "@parley/config";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { databaseVariables } from "./config.ts";
import { connectionOptions, unencryptedWarnings } from "./connection-options.ts";
import { tlsParametersProblem } from "./tls-parameters.ts";

const urlWith = (query: string, host = "db.example.com") =>
  `postgresql://parley:hunter2@${host}/parley${query}`;
const file = import.meta.filename;

describe("the TLS parameters of DATABASE_URL", () => {
  it.each([
    "",
    "?sslmode=disable",
    "?sslmode=no-verify",
    "?sslmode=require",
    "?sslmode=verify-ca",
    `?sslmode=verify-full&sslrootcert=${file}`,
    `?sslmode=verify-full&sslcert=${file}&sslkey=${file}`,
    "?ssl=true",
    "?sslmode=verify-full&sslnegotiation=direct&connect_timeout=5",
  ])("can be %s", (query) => {
    expect(tlsParametersProblem(urlWith(query))).toBeUndefined();
  });

  it.each([
    ["?sslmode=prefer", "an sslmode of disable, no-verify, require, verify-ca, verify-full"],
    ["?sslmode=verify_full", "an sslmode of"],
    ["?sslmode=", "an sslmode of"],
    ["?sslMode=require", "the unknown parameter sslMode"],
    ["?sslrotcert=/ca.crt", "the unknown parameter sslrotcert"],
    ["?sslmode=verify-full&sslmode=disable", "the parameter sslmode only once"],
    ["?ssl=false", "the parameter ssl with another value than true"],
    ["?uselibpqcompat=true&sslmode=require", "the parameter uselibpqcompat"],
    [`?sslmode=disable&sslrootcert=${file}`, "files for TLS with sslmode=disable"],
    [`?sslmode=verify-full&sslcert=${file}`, "both sslcert and sslkey"],
    ["?sslmode=verify-full&sslrootcert=/no/ca.crt", "readable file in sslrootcert (ENOENT: /no/ca.crt)"],
  ])("cannot be %s", (query, problem) => {
    const { DATABASE_URL } = databaseVariables;
    const read = () => readConfig(z.object({ DATABASE_URL }), { DATABASE_URL: urlWith(query) });
    expect(read).toThrow(/^ {2}DATABASE_URL must /m);
    expect(read).toThrow(problem);
    expect(read).not.toThrow("hunter2");
  });
});

it.each(["require", "verify-ca", "verify-full"])("passes sslmode=%s to pg as verify-full", (mode) => {
  const { connectionString } = connectionOptions(urlWith(`?sslmode=${mode}`));
  expect(new URL(connectionString).searchParams.get("sslmode")).toBe("verify-full");
});

/** Returns the warning about a URL that is used without a connection pooler. */
const unencryptedWarning = (url: string) => unencryptedWarnings({ url, directUrl: url, pooler: false })[0];

describe("the warning about connections that are not encrypted", () => {
  it("names the host and the variable, and not the password", () => {
    const warning = unencryptedWarning(urlWith(""));
    expect(warning).toContain("database at db.example.com (DATABASE_URL) is not encrypted");
    expect(warning).not.toContain("hunter2");
  });

  it("is given for the pooler and for the direct URL", () => {
    const address = { url: urlWith("", "pooler"), directUrl: urlWith("", "server"), pooler: true };
    expect(unencryptedWarnings(address)).toEqual([
      expect.stringContaining("at pooler (DATABASE_URL)"),
      expect.stringContaining("at server (DATABASE_DIRECT_URL)"),
    ]);
  });

  it.each(["127.0.0.1", "localhost", "[::1]", "%2Fvar%2Frun%2Fpostgresql"])("is absent for %s", (host) => {
    expect(unencryptedWarning(urlWith("", host))).toBeUndefined();
  });

  it.each(["?sslmode=disable", "?sslmode=require", "?ssl=true"])("is absent with %s", (query) => {
    expect(unencryptedWarning(urlWith(query))).toBeUndefined();
  });

  it.each(["localhost.example.com", "127.0.0.1.example.com", "10.0.0.1"])("is present for %s", (host) => {
    expect(unencryptedWarning(urlWith("", host))).toContain(host);
  });
});
