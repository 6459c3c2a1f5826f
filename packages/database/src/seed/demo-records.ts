import { randomUUIDv7 } from "node:crypto";
import type { Prisma } from "../generated/client.ts";

interface DemoRecords {
  chatbots: Prisma.ChatbotCreateManyInput[];
  leads: Prisma.LeadCreateManyInput[];
  conversations: Prisma.ConversationCreateManyInput[];
  messages: Prisma.MessageCreateManyInput[];
  tickets: Prisma.TicketCreateManyInput[];
  meetings: Prisma.MeetingCreateManyInput[];
}

const hour = 3_600_000;
const people = [
  "Ada Novak",
  "Ben Okafor",
  "Chiara Russo",
  "Dmitri Ivanov",
  "Elif Demir",
  "Fatou Diallo",
  "Gus Larsen",
  "Hana Sato",
];
const companies = ["Novak Ltd", "Okafor & Sons", "Russo Design", "Nordlicht GmbH", null];
const pages = ["/pricing", "/contact", "/features", "/"];
const subjects = [
  "Invoice shows the wrong address",
  "Cannot sign in",
  "Export is empty",
  "Question about the plan",
  "Widget covers the menu",
];
const bots = [
  {
    externalId: "sales-bot",
    name: "Sales assistant",
    description: "Answers questions about plans and prices.",
    model: "parley-large",
    status: "active",
  },
  {
    externalId: "support-bot",
    name: "Support desk",
    description: "Solves common problems and opens tickets.",
    model: "parley-small",
    status: "active",
  },
  {
    externalId: "booking-bot",
    name: "Booking helper",
    description: "Finds a time for a meeting.",
    model: "parley-small",
    status: "training",
  },
];

const dialogue = [
  ["visitor", "Hello! Where do I change the address on my invoice?"],
  ["chatbot", "Hi! Under Settings, Billing. Do you want me to open the page?"],
  ["visitor", "Yes, please."],
  ["chatbot", "Here you are. Is there anything else?"],
] as const;

/** Returns deterministic demo records with times relative to `now`. */
export function demoRecords(organizationId: string, variant: number, now: Date): DemoRecords {
  const ago = (hours: number) => new Date(now.getTime() - Math.round(hours * hour));
  const chatbots = bots.map((bot, i) => ({
    ...bot,
    id: randomUUIDv7(),
    organizationId,
    createdAt: ago(2000 - i * 100),
    updatedAt: ago(300 - i * 50),
  }));
  const chatbotId = (i: number) => pick(chatbots, i).id;

  const leads = range(45).map((i) => {
    const score = (i * 37 + variant * 11) % 101;
    const createdAt = ago(5 + i * 7.3);
    const updatedAt = ago(4 + i * 7.1);
    const qualified = score >= 70;
    const converted = score >= 95;
    return {
      id: randomUUIDv7(),
      organizationId,
      chatbotId: chatbotId(i % 2),
      ...contact(i + variant),
      contactPhone: i % 3 === 0 ? `+43 1 555${String(1000 + i)}` : null,
      contactCompany: pick(companies, i),
      status: converted ? "converted" : qualified ? "qualified" : score < 10 ? "disqualified" : "new",
      score,
      qualification: {
        budget: pick(["unknown", "below 10k", "10-20k", "above 20k"], i),
        timeline: pick(["now", "this quarter", "this year"], i),
      },
      source: `https://www.example.com${pick(pages, i)}`,
      createdAt,
      updatedAt,
      qualifiedAt: qualified ? updatedAt : null,
      convertedAt: converted ? updatedAt : null,
    };
  });

  const conversations = range(12).map((i) => {
    const { contactName: visitorName, contactEmail: visitorEmail } = contact(i + variant);
    const startedAt = ago(6 + i * 9);
    const endedAt = i < 3 ? null : new Date(startedAt.getTime() + hour / 4);
    return {
      id: randomUUIDv7(),
      organizationId,
      chatbotId: chatbotId(i % 2),
      status: endedAt ? "ended" : "open",
      visitorName,
      visitorEmail,
      sentiment: pick(["neutral", "positive", "negative"], i),
      messageCount: 4,
      startedAt,
      endedAt,
      updatedAt: endedAt ?? new Date(startedAt.getTime() + hour / 10),
    };
  });

  const messages = conversations.flatMap(({ id: conversationId, chatbotId, startedAt, sentiment }) =>
    dialogue.map(([role, text], i) => ({
      organizationId,
      conversationId,
      chatbotId,
      role,
      text,
      sentiment: role === "visitor" ? sentiment : null,
      createdAt: new Date(startedAt.getTime() + i * 40_000),
    })),
  );

  const tickets = range(24).map((i) => {
    const status = pick(["open", "pending", "resolved", "closed"], i);
    const { contactName: requesterName, contactEmail: requesterEmail } = contact(i + variant);
    const updatedAt = ago(2 + i * 10.5);
    return {
      organizationId,
      chatbotId: chatbotId(1),
      leadId: i % 4 === 0 ? pick(leads, i).id : null,
      conversationId: i % 2 === 0 ? pick(conversations, i).id : null,
      subject: pick(subjects, i),
      description: `${pick(subjects, i)}. Reported in a conversation with the support desk.`,
      status,
      priority: pick(["normal", "low", "high", "urgent"], i),
      requesterName,
      requesterEmail,
      createdAt: ago(3 + i * 11),
      updatedAt,
      resolvedAt: status === "resolved" || status === "closed" ? updatedAt : null,
    };
  });

  const meetings = range(15).map((i) => {
    const startsAt = new Date(Math.ceil(ago(100 - i * 20).getTime() / hour) * hour);
    const past = startsAt < now;
    const lead = pick(leads, i);
    return {
      organizationId,
      chatbotId: chatbotId(2),
      leadId: lead.id,
      title: pick(["Product demo", "First call", "Contract review"], i),
      status: i % 7 === 3 ? "cancelled" : past ? "completed" : "scheduled",
      startsAt,
      endsAt: new Date(startsAt.getTime() + hour / 2),
      timezone: pick(["Europe/Vienna", "America/New_York", "Asia/Tokyo"], i),
      location: i % 2 === 0 ? "https://meet.example.com/demo" : null,
      attendees: [{ name: lead.contactName, email: lead.contactEmail }],
      createdAt: ago(200 - i),
      updatedAt: ago(past ? 90 - i * 5 : 20 - i),
    };
  });
  return { chatbots, leads, conversations, messages, tickets, meetings };
}

function contact(i: number): { contactName: string; contactEmail: string } {
  const contactName = pick(people, i);
  return { contactName, contactEmail: `${contactName.toLowerCase().replace(" ", ".")}@example.com` };
}

function pick<Value>(values: readonly Value[], i: number): Value {
  return values[i % values.length] as Value;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
