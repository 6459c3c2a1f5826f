import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import type { AccountSession } from "../account-requests.ts";
import { appsAddress, clientsAddress } from "../addresses.ts";

/** Renders an account page with navigation, the signed-in user and the sign-out button. */
export function accountPage(session: AccountSession, current: string, title: string, content: Html): Page {
  const { user } = session;
  return {
    title,
    wide: true,
    content: html`
<nav aria-label="Account">
${link(appsAddress, "Connected apps", current)}
${user.isAdmin && link(clientsAddress, "Own apps", current)}
</nav>
<h1>${title}</h1>
${content}
<footer>
<p class="quiet">Signed in as ${user.name} (${user.email}), ${user.organizationName}</p>
<form method="post">${csrfField(session.csrfToken)}<button class="link" name="action" value="sign_out">Sign out</button></form>
</footer>`,
  };
}

function link(address: string, text: string, current: string): Html {
  return html`<a href="${address}"${current === address && html` aria-current="page"`}>${text}</a>`;
}
