import type { OAuthClientSecret } from "@parley/database";
import { validSecrets } from "@parley/database/accounts";
import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { AccountSession } from "../account-requests.ts";
import type { FlashMessage } from "../flash-messages.ts";
import { problem } from "./forms.ts";
import { date, dateAndTime } from "./time.ts";

/**
 * Renders the valid secrets with their expiry, and a form for the next action: rotate the secret, or revoke the old
 * secret of a rotation.
 */
export function secretsSection(
  session: AccountSession,
  secrets: OAuthClientSecret[],
  message: FlashMessage,
  now: Date,
): Html {
  const valid = validSecrets(secrets, now);
  return html`
<section class="card" aria-labelledby="secrets">
<h2 id="secrets">Secrets</h2>
${problem("oldSecret", message)}
${valid.length > 0 ? html`<ul class="lines">${valid.map(line)}</ul>` : html`<p>The app has no valid secret. Create one.</p>`}
<form method="post">
${csrfField(session.csrfToken)}
${valid.length > 1 ? removal : rotation}
</form>
</section>`;
}

function line({ hint, createdAt, expiresAt }: OAuthClientSecret): Html {
  const name = hint === "" ? html`A secret` : html`<code>…${hint}</code>`;
  const end = expiresAt ? html`<strong>valid until ${dateAndTime(expiresAt)}</strong>` : "valid";
  return html`<li>${name}, created ${date(createdAt)}, ${end}</li>`;
}

const removal = html`
<p>Both secrets are valid, so that you can update the app. Once it uses the new secret, revoke the old one. Otherwise the old one
expires at the time shown.</p>
<button class="danger" name="action" value="remove_old_secret">Revoke the old secret now</button>`;

const rotation = html`
<label for="old_valid_for">After creating a new secret, keep the old one valid</label>
<select id="old_valid_for" name="old_valid_for">
<option value="day" selected>for 24 hours</option>
<option value="week">for 7 days</option>
<option value="none">no: it has leaked, revoke it now</option>
</select>
<button class="secondary" name="action" value="rotate_secret">Create a new secret</button>`;
