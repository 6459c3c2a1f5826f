import { field, type Html, html } from "@parley/ui";
import type { FlashMessage } from "../../flash-messages.ts";
import { problemOf } from "../../layout/messages.ts";

interface NameAndAddresses {
  name: string;
  redirectUris: string;
}

/** Renders the fields for an app's name and redirect URIs, with their errors. The first invalid field gets the focus. */
export function nameAndAddresses({ name, redirectUris }: NameAndAddresses, message: FlashMessage): Html {
  const [nameProblem, addressProblem] = [problemOf("name", message), problemOf("redirectUri", message)];
  return html`
${field({
  label: "Name",
  name: "name",
  hint: "Shown to your users when the app requests access.",
  problem: nameProblem,
  value: name,
  attributes: {
    maxlength: 100,
    autocomplete: "off",
    required: true,
    autofocus: nameProblem !== undefined,
  },
})}
${field({
  label: "Redirect URIs, one per line",
  name: "redirect_uris",
  hint: html`Where users are sent back to: <code>https://…</code>, or for an app on a device
<code>http://127.0.0.1/…</code> (any port) or <code>com.example.app:/…</code>`,
  problem: addressProblem,
  value: redirectUris,
  rows: 3,
  attributes: {
    spellcheck: "false",
    autocapitalize: "off",
    required: true,
    autofocus: addressProblem !== undefined && nameProblem === undefined,
  },
})}`;
}
