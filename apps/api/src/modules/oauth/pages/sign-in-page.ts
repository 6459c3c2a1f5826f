import { alert, attributes, button, field, html } from "@parley/ui";
import { csrfField } from "./csrf-field.ts";
import type { Page } from "./page.ts";

/**
 * Renders the sign-in page.
 *
 * @param reason why to sign in, for example `to continue to Lead export`
 * @param failedEmail email that was entered in a failed attempt
 * @param form address that handles the form, the page to return to, and a text below it. Default: the address of the page, and none
 */
export function signInPage(
  reason: string,
  csrfToken: string,
  failedEmail: string | undefined,
  form?: { action: string; returnTo: string; note: string },
): Page {
  const failed = failedEmail !== undefined;
  const describedBy = failed ? "problem" : undefined;
  const email = {
    type: "email",
    autocomplete: "username",
    maxlength: 254,
    required: true,
    autofocus: !failed,
  };
  const password = {
    type: "password",
    autocomplete: "current-password",
    maxlength: 1024,
    required: true,
    autofocus: failed,
  };
  return {
    title: "Sign in",
    content: html`
<h1>Sign in</h1>
<p class="quiet">${reason}</p>
${failed && alert("Email or password is wrong.", "problem")}
<form class="stack" method="post"${attributes({ action: form?.action })}>
${csrfField(csrfToken)}
${form && html`<input type="hidden" name="return_to" value="${form.returnTo}">`}
${field({ label: "Email", name: "email", value: failedEmail ?? "", describedBy, attributes: email })}
${field({ label: "Password", name: "password", describedBy, attributes: password })}
${button("Sign in", { action: "sign_in", wide: true })}
</form>
${form && html`<p class="quiet">${form.note}</p>`}`,
  };
}
