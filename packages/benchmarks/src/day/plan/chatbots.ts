import type { Item } from "../model/model.ts";
import { item } from "./step.ts";

/** The organization's chatbots. A subscription listens to `only` alone; nobody talks with the last one. */
export const chatbots = {
  withVisitors: ["sales-bot", "sales-bot", "support-bot", "booking-bot", "eager bot/ß"],
  only: "booking-bot",
};

/** How they are at the beginning of the day, each with a threshold of its own. */
export const chatbotItems: Item[] = [
  item("chatbot", "sales-bot", { name: "Sales", model: "parley-large" }),
  item("chatbot", "support-bot", { name: "Support", model: "parley-small", qualification_threshold: 50 }),
  item("chatbot", "booking-bot", { name: "Booking", model: "parley-large", qualification_threshold: 40 }),
  item("chatbot", "eager bot/ß", { name: "Eager", model: "parley-small", qualification_threshold: 0 }),
  item("chatbot", "other-bot", { name: "Other", model: "parley-small", status: "training" }),
];

/** What is changed of them during the day. Nobody is told. */
export const chatbotChanges: Item[] = Array.from({ length: 20 }, (_, i) =>
  item("chatbot", "support-bot", {
    name: "Support",
    model: "parley-small",
    status: i % 2 === 0 ? "inactive" : "active",
    description: `Version ${Math.floor(i / 3)}`,
  }),
);
