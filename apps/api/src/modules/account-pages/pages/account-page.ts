import { csrfField, type Html, html } from "../../oauth/pages/html.ts";
import type { Page } from "../../oauth/pages/page.ts";
import { appsAddress, clientsAddress } from "../addresses.ts";
import type { Visitor } from "../visit.ts";

/** What every page of an account has in common: the way to the others, who is signed in, and the way out. */
export function accountPage(visitor: Visitor, current: string, title: string, content: Html): Page {
  const { user } = visitor;
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
<form method="post">${csrfField(visitor.csrfToken)}<button class="link" name="action" value="sign_out">Sign out</button></form>
</footer>`,
  };
}

function link(address: string, text: string, current: string): Html {
  return html`<a href="${address}"${current === address && html` aria-current="page"`}>${text}</a>`;
}
