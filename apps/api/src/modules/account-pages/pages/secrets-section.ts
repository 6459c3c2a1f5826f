import type { OAuthClientSecret } from "@parley/database";
import { validSecrets } from "@parley/database/accounts";
import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { FlashMessage } from "../flash-messages.ts";
import type { Visitor } from "../visit.ts";
import { problem } from "./forms.ts";
import { date, dateAndTime } from "./time.ts";

/** Which secrets work and until when, and what can be done next: make a new one, or end the old one of a rotation. */
export function secretsSection(
  visitor: Visitor,
  secrets: OAuthClientSecret[],
  message: FlashMessage,
  now: Date,
): Html {
  const valid = validSecrets(secrets, now);
  return html`
<section class="card" aria-labelledby="secrets">
<h2 id="secrets">Secrets</h2>
${problem("oldSecret", message)}
${valid.length > 0 ? html`<ul class="lines">${valid.map(line)}</ul>` : html`<p>No secret works: make a new one.</p>`}
<form method="post">
${csrfField(visitor.csrfToken)}
${valid.length > 1 ? removal : rotation}
</form>
</section>`;
}

function line({ hint, createdAt, expiresAt }: OAuthClientSecret): Html {
  const name = hint === "" ? html`A secret` : html`<code>…${hint}</code>`;
  const end = expiresAt ? html`<strong>works until ${dateAndTime(expiresAt)}</strong>` : "works";
  return html`<li>${name}, made ${date(createdAt)}, ${end}</li>`;
}

const removal = html`
<p>Two secrets work, so that the app can change over. Once it uses the new one, end the old one; otherwise it ends by itself.</p>
<button class="danger" name="action" value="remove_old_secret">End the old secret now</button>`;

const rotation = html`
<label for="old_valid_for">With a new secret, the old one works on</label>
<select id="old_valid_for" name="old_valid_for">
<option value="day" selected>for 24 hours</option>
<option value="week">for 7 days</option>
<option value="none">not at all: it is no longer safe</option>
</select>
<button class="secondary" name="action" value="rotate_secret">Make a new secret</button>`;
