import type { Field } from "@parley/database/accounts";
import { type Html, html } from "../../oauth/pages/html.ts";
import type { FlashMessage } from "../flash-messages.ts";

/** What came of the last form, at the top of the page. */
export function notice({ done }: FlashMessage): Html {
  return html`${done !== undefined && html`<p class="notice" role="status">${done}</p>`}`;
}

/** A client secret that was just made. The page after this one does not know it. */
export function newSecret({ secret }: FlashMessage): Html {
  if (secret === undefined) return html``;
  return html`
<section class="secret" aria-labelledby="new-secret">
<h2 id="new-secret">The client secret</h2>
<p><code>${secret}</code></p>
<p>Copy it now: it is not shown again.</p>
</section>`;
}

/** Why a form was refused, where none of its fields is to blame. */
export function problem(field: Field, message: FlashMessage): Html {
  const words = problemOf(field, message);
  return html`${words !== undefined && html`<p class="problem" role="alert">${words}</p>`}`;
}

function problemOf(field: Field, { problems = [] }: FlashMessage): string | undefined {
  return problems.find((problem) => problem.field === field)?.words;
}

interface NameAndAddresses {
  name: string;
  redirectUris: string;
}

/** The two fields of an app, with what is wrong beside each. What is wrong first gets the focus. */
export function nameAndAddresses({ name, redirectUris }: NameAndAddresses, message: FlashMessage): Html {
  const [nameProblem, addressProblem] = [problemOf("name", message), problemOf("redirectUri", message)];
  return html`
<label for="name">Name</label>
<p class="hint" id="name-hint">What your users are asked to trust.</p>
${problemAt("name-problem", nameProblem)}
<input id="name" name="name" maxlength="100" autocomplete="off" required value="${name}"
  ${describedBy("name", nameProblem, true)}>
<label for="redirect_uris">Redirect URIs, one on each line</label>
<p class="hint" id="redirect_uris-hint">Where users are sent back to: <code>https://…</code>, for an app on a device also
<code>http://127.0.0.1/…</code> (any port) or <code>com.example.app:/…</code></p>
${problemAt("redirect_uris-problem", addressProblem)}
<textarea id="redirect_uris" name="redirect_uris" rows="3" spellcheck="false" autocapitalize="off" required
  ${describedBy("redirect_uris", addressProblem, nameProblem === undefined)}>
${redirectUris}</textarea>`;
}

function problemAt(id: string, words: string | undefined): Html {
  return html`${words !== undefined && html`<p class="problem" role="alert" id="${id}">${words}</p>`}`;
}

function describedBy(field: string, words: string | undefined, first: boolean): Html {
  if (words === undefined) return html`aria-describedby="${field}-hint"`;
  return html`aria-invalid="true" aria-describedby="${field}-hint ${field}-problem"${first && html` autofocus`}`;
}
