import { html } from "../../oauth/pages/html.ts";
import { clientsAddress } from "../addresses.ts";
import type { Answer, Visitor } from "../visit.ts";
import { accountPage } from "./account-page.ts";

/** Told to users who may not register apps. */
export function notAdminPage(visitor: Visitor): Answer {
  const content = html`
<p>Only an admin can register and change the apps of ${visitor.user.organizationName}. Ask yours to do it, or to make you an
admin.</p>`;
  return { ...accountPage(visitor, clientsAddress, "Ask your admin", content), status: 403 };
}
