import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Whose token sends requests, for which chatbot. */
export interface Sender {
  token: string;
  chatbotId: string;
}

export interface LeadLoad {
  succeeded(): number;
  /** IDs of the created leads. */
  created: Set<string>;
  /** Responses other than 2xx, and lost connections. */
  failures: string[];
  /** Duration of the slowest request so far, in milliseconds. */
  slowestMs(): number;
  stop(): Promise<void>;
}

const clients = 4;
const pauseMs = 20;

/**
 * Starts four clients, each sending a request 20 ms after the last response: POST and GET of leads in turn, with the tokens of all
 * senders in turn, because each organization has its rate limit.
 */
export function startLeadLoad(url: string, senders: Sender[]): LeadLoad {
  const agent = new Agent({ keepAlive: true });
  const created = new Set<string>();
  const failures: string[] = [];
  let succeeded = 0;
  let slowest = 0;
  let sent = 0;
  let stopped = false;

  async function send(): Promise<void> {
    while (!stopped) {
      const sender = senders[sent % senders.length] as Sender;
      const method = Math.floor(sent / senders.length) % 2 === 0 ? "POST" : "GET";
      sent += 1;
      const startedAt = performance.now();
      await call(method, sender).then(
        () => (succeeded += 1),
        (error: Error) => failures.push(`${method}: ${error.message}`),
      );
      slowest = Math.max(slowest, performance.now() - startedAt);
      await sleep(pauseMs);
    }
  }

  async function call(method: string, { token, chatbotId }: Sender): Promise<void> {
    const sending = request(`${url}/api/v1/leads`, {
      agent,
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    const body = { chatbot_id: chatbotId, contact: { name: "Ada Novak" } };
    sending.end(method === "POST" ? JSON.stringify(body) : undefined);
    const [response] = await once(sending, "response");
    let text = "";
    for await (const chunk of response) text += String(chunk);
    if (response.statusCode !== (method === "POST" ? 201 : 200))
      throw new Error(`${response.statusCode} ${text}`);
    if (method === "POST") created.add(JSON.parse(text).data.id);
  }

  const running = Array.from({ length: clients }, send);
  return {
    created,
    failures,
    succeeded: () => succeeded,
    slowestMs: () => slowest,
    async stop() {
      stopped = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}
