import type { OAuthClient } from "@parley/database";
import type { SignedInUser } from "../sessions/sessions.ts";
import { html } from "./html.ts";
import type { Page } from "./page.ts";

/** Another organization's own app asked: there is nothing to agree to, but somebody else may sign in. */
export function foreignClientPage(client: OAuthClient, user: SignedInUser, csrfToken: string): Page {
  const title = "This app is not for your account";
  return {
    title,
    content: html`
<h1>${title}</h1>
<p role="alert">${client.name} is for the users of another organization than ${user.organizationName}. It was told nothing.</p>
<div class="account">
<p>${user.name}</p>
<p class="quiet">${user.email}</p>
<form method="post">
<input type="hidden" name="csrf_token" value="${csrfToken}">
<button class="link" name="action" value="sign_out">Not you? Sign out</button>
</form>
</div>`,
  };
}
