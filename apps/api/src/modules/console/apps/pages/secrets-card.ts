import type { OAuthClientSecret } from "@parley/database";
import { validSecrets } from "@parley/database/accounts";
import { button, card, field, type Html, html } from "@parley/ui";
import { csrfField } from "../../../oauth/pages/csrf-field.ts";
import type { FlashMessage } from "../../flash-messages.ts";
import { problem } from "../../layout/messages.ts";
import { date, dateAndTime } from "../../layout/time.ts";
import type { ConsoleSession } from "../../page-requests.ts";

/**
 * Renders the valid secrets with their expiry, and a form for the next action: rotate the secret, or revoke the old
 * secret of a rotation.
 */
export function secretsCard(
  session: ConsoleSession,
  secrets: OAuthClientSecret[],
  message: FlashMessage,
  now: Date,
): Html {
  const valid = validSecrets(secrets, now);
  const content = html`
${problem("oldSecret", message)}
${valid.length > 0 ? html`<ul>${valid.map(line)}</ul>` : html`<p>The app has no valid secret. Create one.</p>`}
<form class="stack" method="post">
${csrfField(session.csrfToken)}
${valid.length > 1 ? removal : rotation}
</form>`;
  return card({ id: "secrets", title: "Secrets", content });
}

function line({ hint, createdAt, expiresAt }: OAuthClientSecret): Html {
  const name = hint === "" ? "A secret" : html`<code>…${hint}</code>`;
  const end = expiresAt ? html`<strong>valid until ${dateAndTime(expiresAt)}</strong>` : "valid";
  return html`<li>${name}, created ${date(createdAt)}, ${end}</li>`;
}

const removal = html`
<p>Both secrets are valid, so that you can update the app. Once it uses the new secret, revoke the old one. Otherwise the old one
expires at the time shown.</p>
${button("Revoke the old secret now", { kind: "danger", action: "remove_old_secret" })}`;

const rotation = html`
${field({
  label: "After creating a new secret, keep the old one valid",
  name: "old_valid_for",
  value: "day",
  options: { day: "for 24 hours", week: "for 7 days", none: "no: it has leaked, revoke it now" },
})}
${button("Create a new secret", { kind: "secondary", action: "rotate_secret" })}`;
