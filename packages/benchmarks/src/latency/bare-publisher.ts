import { createPool } from "@parley/database";
import { steadyPublisher } from "../faults/steady-publisher.ts";
import { serve } from "../harness/serve.ts";

/** The channel of the bare side. */
export const channel = "bench";

/** Commits one row, and then tells of it with all that is to be sent. */
serve(
  steadyPublisher((databaseUrl) => {
    const pool = createPool(databaseUrl, { poolSize: 8 });
    return async (organizationId, data) => {
      const body = JSON.stringify({ data });
      await pool.query({
        name: "insert",
        text: `INSERT INTO events (id, organization_id, type, body, created_at)
               VALUES (uuidv7(), $1, 'lead.created', $2, now())`,
        values: [organizationId, body],
      });
      void pool.query({ name: "notify", text: "SELECT pg_notify($1, $2)", values: [channel, body] });
    };
  }),
);
