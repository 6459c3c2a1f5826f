import { InvalidArgumentError } from "@commander-js/extra-typings";

/**
 * Parses the URL of a receiver: `http://localhost:3000/hook`, `localhost:3000/hook`, or only a port of this machine.
 *
 * @throws InvalidArgumentError
 */
export function receiverUrl(text: string): string {
  const withHost = /^\d+(\/|$)/.test(text) ? `localhost:${text}` : text;
  const url = URL.parse(/^[a-z][\w+.-]*:\/\//i.test(withHost) ? withHost : `http://${withHost}`);
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isUsable && !text.startsWith("/")) return url.href;
  throw new InvalidArgumentError("Must be an http or https URL like http://localhost:3000/hook, or a port.");
}
