/** The delivery in the chapter, and changed deliveries. */
import { createHmac } from "node:crypto";
import { sampleOf } from "../src/testing/chapters.ts";

export const secret = "parley_ws_q4yJ8m2Zk0b1xv7Tn3cWf9Rd6hLs5gPaEuYiOoKjHwM";
const shown = { chapter: "receiving-webhooks", heading: "What a delivery looks like" };
/** Compact, as Parley sends it. */
export const body = JSON.stringify(JSON.parse(sampleOf({ ...shown, language: "json" })));
const lines = sampleOf({ ...shown, language: "http" })
  .trim()
  .split("\n")
  .slice(1);
export const headers = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));

export interface Case {
  name: string;
  body: string;
  timestamp: string | undefined;
  signature: string | undefined;
  accepted: boolean;
}

/** Returns a delivery that was signed `age` seconds ago, with a change. */
function delivery(
  name: string,
  age: number,
  accepted: boolean,
  change: Partial<Case> = {},
  sent = body,
): Case {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const signature = `sha256=${createHmac("sha256", secret).update(`${timestamp}.${sent}`).digest("hex")}`;
  return { name, body: sent, timestamp, signature, accepted, ...change };
}

/** Signs the deliveries now. Receivers accept a signature for 300 s only. */
export function signCases(): Case[] {
  return [
    delivery("fresh", 0, true),
    delivery("text in UTF-8", 0, true, {}, body.replace("Ada Novak", "Zoë 😀")),
    delivery("290 s old", 290, true),
    delivery("290 s ahead", -290, true),
    delivery("310 s old", 310, false),
    delivery("310 s ahead", -310, false),
    delivery("changed body", 0, false, { body: `${body} ` }),
    delivery("changed timestamp", 0, false, { timestamp: String(Math.floor(Date.now() / 1000) - 1) }),
    delivery("timestamp in words", 0, false, { timestamp: "now" }),
    delivery("signature of the same length", 0, false, { signature: `sha256=${"0".repeat(64)}` }),
    delivery("signature with other letters", 0, false, { signature: `sha256=${"é".repeat(64)}` }),
    delivery("short signature", 0, false, { signature: "sha256=" }),
    delivery("no timestamp", 0, false, { timestamp: undefined }),
    delivery("no signature", 0, false, { signature: undefined }),
  ];
}
