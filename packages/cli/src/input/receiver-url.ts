import { InvalidArgumentError } from "@commander-js/extra-typings";

/**
 * Parses the URL of a receiver: `http://localhost:3000/hook`, `localhost:3000/hook`, or only a port of this machine.
 *
 * @throws InvalidArgumentError
 */
export function receiverUrl(text: string): string {
  const url = /^\d+(\/|$)/.test(text)
    ? `http://localhost:${text}`
    : /^https?:\/\//.test(text)
      ? text
      : `http://${text}`;
  if (URL.canParse(url)) return new URL(url).href;
  throw new InvalidArgumentError("Must be a URL like http://localhost:3000/hook, or a port.");
}
