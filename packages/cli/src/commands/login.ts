import type { Command } from "@commander-js/extra-typings";
import { print, printNote, withExamples } from "@parley/command-line";
import { type GrantedTokens, Parley, revoke } from "@parley/sdk";
import { clientId, serverOf } from "../connection.ts";
import { requestTokens } from "../login/request-tokens.ts";
import { removeTokens, storedTokens, storeServer, storeTokens } from "../store/servers.ts";
import { jsonOption, serverOption } from "./options.ts";

/** Adds `login` and `logout`. */
export function addLoginCommands(program: Command): void {
  const login = program
    .command("login")
    .description("Signs in to a Parley server in the browser, and stores the tokens on this machine.")
    .argument(
      "[server]",
      "URL of the server; default: PARLEY_URL, the server of the last login, or the local server",
    )
    .option("--write", "also request the scopes that change records, for trigger --live")
    .option("--no-browser", "do not open a browser, only print the address")
    .option(...jsonOption)
    .option(...serverOption)
    .action(async (argument, { write = false, browser, server, json }) => {
      const baseUrl = serverOf(argument ?? server);
      const store = (tokens: GrantedTokens) => {
        storeTokens(baseUrl, tokens);
        storeServer(baseUrl);
      };
      const tokens = await requestTokens({ baseUrl, write, browser, store });
      if (process.env["PARLEY_TOKEN"]) printNote("PARLEY_TOKEN is set, so commands use that token instead.");
      const { data } = await new Parley({ baseUrl, accessToken: tokens.accessToken }).me();
      const { name, user } = data.attributes;
      print(json, data, () => `Signed in to ${name} at ${baseUrl} as ${user.email}.`);
    });
  withExamples(login, ["parley login", "parley login https://parley.example.com --write"]);

  const logout = program
    .command("logout")
    .description("Revokes the tokens of a server, and removes them from this machine.")
    .option(...serverOption)
    .option(...jsonOption)
    .action(async ({ server, json }) => {
      const baseUrl = serverOf(server);
      const tokens = storedTokens(baseUrl);
      removeTokens(baseUrl);
      if (tokens) await revoke({ baseUrl, clientId, token: tokens.refreshToken });
      print(json, { server: baseUrl, signed_in: false }, () => `Signed out of ${baseUrl}.`);
    });
  withExamples(logout, ["parley logout"]);
}
