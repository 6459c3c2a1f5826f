import type { Schemas } from "@parley/contract";
import { codeBlock, disclosure, type Html, html } from "@parley/ui";

/**
 * Renders how to verify the signature of an attempt: the signed text, and commands that compute the signature and repeat the request.
 *
 * @param body as it was sent
 */
export function verification(
  deliveryId: string,
  { url, headers }: Schemas["SentRequest"],
  body: string,
): Html {
  const timestamp = headers["x-parley-timestamp"] ?? "";
  const data = singleQuoted(body);
  const openssl = `SECRET='parley_ws_…'
printf '%s' ${singleQuoted(`${timestamp}.`)}${data} | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* /sha256=/'`;
  const standard = `printf '%s' ${singleQuoted(`${deliveryId}.${timestamp}.`)}${data} | openssl dgst -sha256 -hmac "$SECRET" -binary | base64 | sed 's/^/v1,/'`;
  const sentHeaders = Object.entries(headers).map(
    ([name, value]) => `  -H ${singleQuoted(`${name}: ${value}`)}`,
  );
  const hidden = Object.values(headers).includes("[redacted]");
  const curl = [`curl --include ${singleQuoted(url)}`, ...sentHeaders, `  --data-binary ${data}`].join(
    " \\\n",
  );
  return html`
<p>The last attempt was signed with the text of the header <code>X-Parley-Timestamp</code>, a dot and the body:</p>
<pre class="code wrap" tabindex="0" data-copy><code>${timestamp}.${body}</code></pre>
<p>This command computes the signature with your secret. It must print <code class="breakable">${headers["x-parley-signature"] ?? "X-Parley-Signature"}</code></p>
${codeBlock(openssl)}
${disclosure(
  "Standard Webhooks: the header webhook-signature",
  html`
<p>It must print the first signature of <code class="breakable">${headers["webhook-signature"] ?? "webhook-signature"}</code></p>
${codeBlock(standard)}`,
)}
${disclosure(
  "Repeat the request with curl",
  html`
<p>Sends the same request to your endpoint from your machine. After five minutes, verification rejects its timestamp.${hidden && " Replace [redacted] with the values of these headers."}</p>
${codeBlock(curl)}`,
)}
<p class="quiet"><a href="/docs/guides/debug-signature">If the signatures differ: debug a signature</a></p>`;
}

/** Returns a text as one word of a POSIX shell. */
function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
