import type { HtmlPage } from "./html-page.ts";
import type { Visitor } from "./visitor.ts";

/** Webhook that a visitor created with the form. */
export interface CreatedWebhook {
  id: string;
  /** Path of its page. */
  path: string;
  secret: string;
}

/** Creates a webhook with the form; by default for all event types. */
export async function createWebhook(
  visitor: Visitor,
  target_url = "https://receiver.example.com/hook",
  fields: Record<string, string | string[]> = {},
): Promise<CreatedWebhook> {
  const form = await visitor.open("/console/webhooks/new");
  const page = await visitor.submit(form, "save", { target_url, types: "all", ...fields });
  return { id: page.address.split("/").at(-1) ?? "", path: page.address, secret: secretIn(page) ?? "" };
}

/** Returns the signing secret that a page shows; undefined without one. */
export function secretIn({ html }: HtmlPage): string | undefined {
  return /parley_ws_[\w-]+/.exec(html)?.[0];
}
