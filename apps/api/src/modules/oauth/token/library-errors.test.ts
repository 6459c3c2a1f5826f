import OAuth2Server from "@node-oauth/oauth2-server";
import { expect, test } from "vitest";
import { ApiError } from "../../../http/api-error.ts";
import { translateErrors } from "./library-errors.ts";

const translated = (error: unknown) =>
  translateErrors(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

test("what a model throws comes out as it was, so that an absent database is a 503", async () => {
  const inner = new Error("connection refused");
  expect(await translated(new OAuth2Server.ServerError(inner))).toBe(inner);
});

test("a refused grant becomes ours, and text that we do not know is not repeated", async () => {
  const error = await translated(new OAuth2Server.InvalidGrantError("something about parley_ac_secret"));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 400,
    code: "invalid_grant",
    message: "The grant is expired or invalid.",
  });
});

test("everything else is a fault of ours", async () => {
  const error = new OAuth2Server.InvalidArgumentError("Missing parameter: `model`");
  expect(await translated(error)).toBe(error);
});
