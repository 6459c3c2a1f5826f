import type { Field } from "@parley/database/accounts";
import { type Html, html } from "../../oauth/pages/html.ts";
import type { FlashMessage } from "../flash-messages.ts";

/** Renders the confirmation of the last form. */
export function notice({ done }: FlashMessage): Html {
  return html`${done !== undefined && html`<p class="notice" role="status">${done}</p>`}`;
}

/** Renders a new client secret, which is shown only once. */
export function newSecret({ secret }: FlashMessage): Html {
  if (secret === undefined) return html``;
  return html`
<section class="secret" aria-labelledby="new-secret">
<h2 id="new-secret">Client secret</h2>
<p><code>${secret}</code></p>
<p>Copy it now. It is not shown again.</p>
</section>`;
}

/** Renders the reason why a form was rejected, if the reason does not belong to a single input. */
export function problem(field: Field, message: FlashMessage): Html {
  const text = problemOf(field, message);
  return html`${text !== undefined && html`<p class="problem" role="alert">${text}</p>`}`;
}

function problemOf(field: Field, { problems = [] }: FlashMessage): string | undefined {
  return problems.find((problem) => problem.field === field)?.message;
}

interface NameAndAddresses {
  name: string;
  redirectUris: string;
}

/** Renders the fields for an app's name and redirect URIs, with their errors. The first invalid field gets the focus. */
export function nameAndAddresses({ name, redirectUris }: NameAndAddresses, message: FlashMessage): Html {
  const [nameProblem, addressProblem] = [problemOf("name", message), problemOf("redirectUri", message)];
  return html`
<label for="name">Name</label>
<p class="hint" id="name-hint">Shown to your users when the app requests access.</p>
${problemAt("name-problem", nameProblem)}
<input id="name" name="name" maxlength="100" autocomplete="off" required value="${name}"
  ${describedBy("name", nameProblem, true)}>
<label for="redirect_uris">Redirect URIs, one per line</label>
<p class="hint" id="redirect_uris-hint">Where users are sent back to: <code>https://…</code>, or for an app on a device
<code>http://127.0.0.1/…</code> (any port) or <code>com.example.app:/…</code></p>
${problemAt("redirect_uris-problem", addressProblem)}
<textarea id="redirect_uris" name="redirect_uris" rows="3" spellcheck="false" autocapitalize="off" required
  ${describedBy("redirect_uris", addressProblem, nameProblem === undefined)}>
${redirectUris}</textarea>`;
}

function problemAt(id: string, text: string | undefined): Html {
  return html`${text !== undefined && html`<p class="problem" role="alert" id="${id}">${text}</p>`}`;
}

function describedBy(field: string, text: string | undefined, first: boolean): Html {
  if (text === undefined) return html`aria-describedby="${field}-hint"`;
  return html`aria-invalid="true" aria-describedby="${field}-hint ${field}-problem"${first && html` autofocus`}`;
}
