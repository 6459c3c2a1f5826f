import { randomBytes } from "node:crypto";
import type { Command } from "@commander-js/extra-typings";
import { fields, print, withExamples } from "@parley/command-line";
import { hashToken } from "@parley/database";

export function addPlatformKeyCommands(program: Command): void {
  const group = program.command("platform-key").description("Creates keys for the Platform API.");
  withExamples(group, ["parley-admin platform-key create"]);

  const create = group
    .command("create")
    .description(
      "Creates a key and prints it once. The API accepts it once its hash is in PLATFORM_KEY_HASHES.",
    )
    .option("--json", "print JSON")
    .action(({ json }) => {
      const key = `parley_pk_${randomBytes(32).toString("hex")}`;
      const sha256 = Buffer.from(hashToken(key)).toString("hex");
      print(
        json,
        { platform_key: key, sha256 },
        () => `${fields({ "platform key": key, sha256 })}

Store the key in your chatbot platform. It is not shown again and not stored by this command.
Add the hash to PLATFORM_KEY_HASHES (separate several by commas) and restart the API.`,
      );
    });
  withExamples(create, ["parley-admin platform-key create", "parley-admin platform-key create --json"]);
}
