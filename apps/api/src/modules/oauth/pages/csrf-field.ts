import { type Html, html } from "@parley/ui";

/** Renders the hidden form field with the CSRF token. */
export function csrfField(csrfToken: string): Html {
  return html`<input type="hidden" name="csrf_token" value="${csrfToken}">`;
}
