import { csrfField, html } from "./html.ts";
import type { Page } from "./page.ts";

/**
 * Renders the sign-in page.
 *
 * @param reason why to sign in, for example `to continue to Lead export`
 * @param failedEmail email that was entered in a failed attempt
 */
export function signInPage(reason: string, csrfToken: string, failedEmail: string | undefined): Page {
  const failed = failedEmail !== undefined;
  return {
    title: "Sign in",
    content: html`
<h1>Sign in</h1>
<p class="quiet">${reason}</p>
${failed && html`<p class="alert" role="alert" id="problem">Email or password is wrong.</p>`}
<form method="post">
${csrfField(csrfToken)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required
  value="${failedEmail ?? ""}" ${failed ? html`aria-describedby="problem"` : html`autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required
  ${failed && html`aria-describedby="problem" autofocus`}>
<button class="primary wide" name="action" value="sign_in">Sign in</button>
</form>`,
  };
}
