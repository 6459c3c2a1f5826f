import { connect } from "@parley/database";
import type { Client } from "pg";

/** Lends a connection and ends it afterwards. That it is cut off when the benchmark is interrupted disturbs nobody. */
export async function withClient<Result>(
  databaseUrl: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(databaseUrl);
  client.on("error", () => {});
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
