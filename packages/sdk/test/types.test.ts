import type { FastifyBaseLogger } from "fastify";
import { expectTypeOf, test } from "vitest";
import type {
  CallOptions,
  Chatbot,
  Conversation,
  ConversationCreate,
  components,
  EventTypeInput,
  Lead,
  List,
  Logger,
  Meeting,
  Message,
  MessageCreate,
  Organization,
  Parley,
  ParleyOptions,
  ParleyPlatform,
  PostOptions,
  Ticket,
  TicketCreate,
} from "../src/index.ts";
import type {
  VerifyWebhookOptions,
  verifyWebhook,
  WebhookEvent,
  WebhookEventType,
} from "../src/webhooks/index.ts";

// These tests run nothing: the type check verifies them.
type Schemas = components["schemas"];

test("has exactly the event types of the contract", () => {
  expectTypeOf<WebhookEventType>().toEqualTypeOf<EventTypeInput>();
  expectTypeOf<WebhookEvent["type"]>().toEqualTypeOf<EventTypeInput>();
});

test("narrows an event on its type", () => {
  const narrowed = (event: WebhookEvent): string => {
    switch (event.type) {
      case "lead.score_changed":
        expectTypeOf(event).toEqualTypeOf<WebhookEvent<"lead.score_changed">>();
        expectTypeOf(event.data).toEqualTypeOf<Schemas["Lead"]>();
        expectTypeOf(event.previous_attributes).toEqualTypeOf<{ [key: string]: unknown }>();
        return event.data.id;
      case "lead.created":
        expectTypeOf(event).not.toHaveProperty("previous_attributes");
        expectTypeOf(event.data.attributes.score).toEqualTypeOf<number>();
        return event.data.type;
      case "ticket.created":
      case "ticket.resolved":
        expectTypeOf(event.data).toEqualTypeOf<Schemas["Ticket"]>();
        return event.data.attributes.subject;
      case "conversation.message_received":
        expectTypeOf(event.data).toEqualTypeOf<Schemas["Message"]>();
        return event.data.attributes.text;
      case "usage.threshold_reached":
        expectTypeOf(event.data).toEqualTypeOf<Schemas["Usage"]>();
        return event.data.attributes.metric;
      // @ts-expect-error unknown event type
      case "lead.teleported":
        return "";
      default:
        return event.id;
    }
  };
  expectTypeOf(narrowed).returns.toBeString();
});

test("accepts several event types", () => {
  expectTypeOf<WebhookEvent<"meeting.scheduled" | "meeting.cancelled">["data"]>().toEqualTypeOf<
    Schemas["Meeting"]
  >();
});

test("verifyWebhook accepts the headers and bodies of each runtime, and returns an event", () => {
  expectTypeOf<typeof verifyWebhook>().returns.resolves.toEqualTypeOf<WebhookEvent>();
  expectTypeOf<Headers>().toExtend<VerifyWebhookOptions["headers"]>();
  expectTypeOf<import("node:http").IncomingHttpHeaders>().toExtend<VerifyWebhookOptions["headers"]>();
  expectTypeOf<Buffer>().toExtend<VerifyWebhookOptions["payload"]>();
  expectTypeOf<object>().not.toExtend<VerifyWebhookOptions["payload"]>();
});

test("lists are promises of envelopes and async iterables of records", () => {
  type Leads = ReturnType<Parley["leads"]["list"]>;
  expectTypeOf<Awaited<Leads>["data"]>().toEqualTypeOf<Lead[]>();
  expectTypeOf<Awaited<Leads>["meta"]>().toEqualTypeOf<Schemas["PageMeta"]>();
  expectTypeOf<Leads>().toExtend<AsyncIterable<Lead>>();
  expectTypeOf<ReturnType<Parley["chatbots"]["list"]>>().toExtend<
    List<Chatbot, { data: Chatbot[]; meta: Schemas["PageMeta"] }>
  >();
});

test("single records have envelopes", () => {
  type Created = Awaited<ReturnType<Parley["webhooks"]["subscribe"]>>;
  expectTypeOf<Created["data"]["secret"]>().toBeString();
  type Read = Awaited<ReturnType<Parley["webhooks"]["get"]>>;
  expectTypeOf<Read["data"]>().not.toHaveProperty("secret");
  expectTypeOf<Awaited<ReturnType<Parley["me"]>>["data"]>().toEqualTypeOf<Organization>();
});

test("methods return the records of the contract", () => {
  type Messages = ReturnType<Parley["conversations"]["messages"]>;
  expectTypeOf<Awaited<Messages>["data"]>().toEqualTypeOf<Message[]>();
  expectTypeOf<Messages>().toExtend<AsyncIterable<Message>>();
  type Data<Call extends (...args: never[]) => Promise<{ data: unknown }>> = Awaited<
    ReturnType<Call>
  >["data"];
  expectTypeOf<Data<Parley["conversations"]["start"]>>().toEqualTypeOf<Conversation>();
  expectTypeOf<Data<Parley["conversations"]["end"]>>().toEqualTypeOf<Conversation>();
  expectTypeOf<Data<Parley["conversations"]["addMessage"]>>().toEqualTypeOf<Message>();
  expectTypeOf<Data<Parley["tickets"]["create"]>>().toEqualTypeOf<Ticket>();
  expectTypeOf<Data<Parley["tickets"]["update"]>>().toEqualTypeOf<Ticket>();
  expectTypeOf<Data<Parley["meetings"]["get"]>>().toEqualTypeOf<Meeting>();
  expectTypeOf<Data<Parley["chatbots"]["get"]>>().toEqualTypeOf<Chatbot>();
});

test("bodies need only the required fields", () => {
  expectTypeOf<{ subject: string }>().toExtend<TicketCreate>();
  expectTypeOf<{ chatbot_id: string }>().toExtend<ConversationCreate>();
  expectTypeOf<{ role: "visitor"; text: string }>().toExtend<MessageCreate>();
  expectTypeOf<{ role: "stranger"; text: string }>().not.toExtend<MessageCreate>();
});

test("only POSTs accept an idempotency key", () => {
  expectTypeOf<Parameters<Parley["leads"]["create"]>[1]>().toEqualTypeOf<PostOptions | undefined>();
  expectTypeOf<Parameters<Parley["conversations"]["end"]>[1]>().toEqualTypeOf<PostOptions | undefined>();
  expectTypeOf<Parameters<Parley["tickets"]["update"]>[2]>().toEqualTypeOf<CallOptions | undefined>();
  expectTypeOf<CallOptions>().not.toHaveProperty("idempotencyKey");
});

test("the options have an access token or a pair of tokens, not both", () => {
  expectTypeOf<{ baseUrl: string; accessToken: string }>().toExtend<ParleyOptions>();
  expectTypeOf<{ baseUrl: string; tokens: { accessToken: string } }>().toExtend<ParleyOptions>();
  expectTypeOf<{ baseUrl: string }>().toExtend<ParleyOptions>();
  expectTypeOf<{ baseUrl: string; accessToken: undefined }>().toExtend<ParleyOptions>();
  expectTypeOf<typeof Parley>().toBeConstructibleWith();
  expectTypeOf<typeof ParleyPlatform>().toBeConstructibleWith();
  type Both = { baseUrl: string; accessToken: string; tokens: { accessToken: string } };
  expectTypeOf<Both>().not.toExtend<ParleyOptions>();
  // The global fetch and wrappers with its signature are accepted.
  expectTypeOf<typeof fetch>().toExtend<NonNullable<ParleyOptions["fetch"]>>();
});

test("console and pino are loggers", () => {
  expectTypeOf<Console>().toExtend<Logger>();
  expectTypeOf<FastifyBaseLogger>().toExtend<Logger>(); // Fastify uses pino.
});
