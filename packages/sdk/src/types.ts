import type { components, operations } from "./generated/schema.ts";

type Schemas = components["schemas"];

/** What an operation answers when it succeeds: the envelope with `data` and `meta`. */
export type SuccessOf<Operation> = Operation extends { responses: infer Answers }
  ? { [Status in keyof Answers]: Status extends 200 | 201 ? JsonOf<Answers[Status]> : never }[keyof Answers]
  : never;

/** What an operation of the contract answers when it succeeds, by the operation's id. */
export type Envelope<Operation extends keyof operations> = SuccessOf<operations[Operation]>;

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Body } } ? Body : never;

/** The query of an operation of the contract. */
export type Query<Operation extends keyof operations> = NonNullable<
  operations[Operation]["parameters"]["query"]
>;

/** The JSON body of an operation of the contract. */
export type RequestBody<Operation extends keyof operations> =
  NonNullable<operations[Operation]["requestBody"]> extends { content: { "application/json": infer Json } }
    ? Json
    : never;

/** A chatbot (specification §2.3). */
export type Chatbot = Schemas["Chatbot"];
/** A lead (specification §2.4). */
export type Lead = Schemas["Lead"];
/** What it takes to create a lead. */
export type LeadCreate = Schemas["LeadCreate"];
/** What of a lead may be changed; what is not named stays. */
export type LeadUpdate = Schemas["LeadUpdate"];
/** A conversation between a visitor and a chatbot. */
export type Conversation = Schemas["Conversation"];
/** What it takes to start a conversation. */
export type ConversationCreate = Schemas["ConversationCreate"];
/** A message of a conversation. */
export type Message = Schemas["Message"];
/** What it takes to add a message. */
export type MessageCreate = Schemas["MessageCreate"];
/** A support ticket. */
export type Ticket = Schemas["Ticket"];
/** What it takes to open a ticket. */
export type TicketCreate = Schemas["TicketCreate"];
/** What of a ticket may be changed; what is not named stays. */
export type TicketUpdate = Schemas["TicketUpdate"];
/** A meeting. */
export type Meeting = Schemas["Meeting"];
/** Whom a token speaks for. */
export type Me = Schemas["Me"];
/** A webhook subscription as lists show it, without its secret (specification §2.5). */
export type Subscription = Schemas["Subscription"];
/** A webhook subscription as its creation shows it, with its secret (specification §2.5). */
export type CreatedSubscription = Schemas["CreatedSubscription"];
/** What it takes to subscribe (specification §4.5). */
export type SubscriptionCreate = Schemas["SubscriptionCreate"];
/** What of a subscription may be changed; what is not named stays. */
export type SubscriptionUpdate = Schemas["SubscriptionUpdate"];
/** What was sent to a subscription, or is still due. */
export type Delivery = Schemas["Delivery"];
/** A type of event to subscribe to (specification §6.1). */
export type EventType = Schemas["EventType"];
