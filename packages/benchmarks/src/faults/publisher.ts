import { createDatabase } from "@parley/database";
import { createPublisher } from "@parley/webhooks";
import { serve } from "../harness/serve.ts";
import { steadyPublisher } from "./steady-publisher.ts";

export type { EventPublisher, Published, PublishedList } from "./steady-publisher.ts";

serve(
  steadyPublisher((databaseUrl) => {
    const publisher = createPublisher(createDatabase(databaseUrl, { poolSize: 8 }), console);
    return (organizationId, data) =>
      publisher.change(organizationId, async ({ publish }) =>
        publish({ type: "lead.created", chatbotId: data.attributes.chatbot_id, data }),
      );
  }),
);
