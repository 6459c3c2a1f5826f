import { randomBytes } from "node:crypto";
import type { Command } from "@commander-js/extra-typings";
import { hashToken } from "@parley/database";
import { withExamples } from "../output/examples.ts";
import { print } from "../output/print.ts";
import { fields } from "../output/table.ts";

export function addPlatformKeyCommands(program: Command): void {
  const group = program
    .command("platform-key")
    .description("Keys with which the chatbot platform writes records.");
  withExamples(group, ["parley-admin platform-key create"]);

  const create = group
    .command("create")
    .description("Makes a key, shown once. The server knows it when its hash stands in PLATFORM_KEY_HASHES.")
    .option("--json", "print JSON")
    .action(({ json }) => {
      const key = `parley_pk_${randomBytes(32).toString("hex")}`;
      const sha256 = Buffer.from(hashToken(key)).toString("hex");
      print(
        json,
        { platform_key: key, sha256 },
        () => `${fields({ "platform key": key, sha256 })}

The key is not shown again: give it to the platform. Add the hash to PLATFORM_KEY_HASHES (several are separated by
commas) and start the API anew. Nothing is kept here.`,
      );
    });
  withExamples(create, ["parley-admin platform-key create", "parley-admin platform-key create --json"]);
}
