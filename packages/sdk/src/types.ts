import type { operations } from "./generated/schema.ts";

export type {
  BatchItem,
  BatchResponse,
  BatchResult,
  Chatbot,
  ChatbotList,
  ChatbotResponse,
  ConsoleLinkCreate,
  ConsoleLinkResponse,
  Conversation,
  ConversationCreate,
  ConversationList,
  ConversationResponse,
  CreatedSubscription,
  CreatedSubscriptionResponse,
  DeletedRecordResponse,
  DeletedSubscriptionResponse,
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryDetailsResponse,
  DeliveryList,
  DeliveryResponse,
  Erasure,
  ErasureCreate,
  ErasureResponse,
  EventFeed,
  EventFeedMeta,
  EventType,
  EventTypeInput,
  FilterCondition,
  Lead,
  LeadCreate,
  LeadList,
  LeadResponse,
  LeadUpdate,
  Meeting,
  MeetingList,
  MeetingResponse,
  Message,
  MessageCreate,
  MessageFeedback,
  MessageList,
  MessageResponse,
  Organization,
  OrganizationResponse,
  PageMeta,
  RedeliverRequest,
  RedeliveryResponse,
  ResumedSubscriptionResponse,
  ResumeRequest,
  RotatedSecretResponse,
  RotatedSigningKeyResponse,
  RotateSecretRequest,
  RotateSigningKeyRequest,
  SourceAddressesResponse,
  Subscription,
  SubscriptionCreate,
  SubscriptionList,
  SubscriptionResponse,
  SubscriptionUpdate,
  TestRequest,
  Ticket,
  TicketCreate,
  TicketList,
  TicketResponse,
  TicketUpdate,
  ToolRun,
  Usage,
  WebhookEventList,
  WebhookEventResponse,
} from "./generated/schema.ts";

type JsonOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;

/** JSON body of the successful response of an operation. */
export type SuccessOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends 200 | 201 ? JsonOf<Responses[Status]> : never;
    }[keyof Responses]
  : never;

/** Query parameters of an operation, for example `Query<"listLeads">`. */
export type Query<Operation extends keyof operations> = NonNullable<
  operations[Operation]["parameters"]["query"]
>;
