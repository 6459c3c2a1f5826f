import { createInterface } from "node:readline";

/** Reads lines from standard input until one is the address of a redirect. */
export function readPastedUrl(): { readonly url: Promise<string>; stop(): void } {
  const lines = createInterface({ input: process.stdin });
  const url = new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const text = line.trim();
      if (/^https?:\/\/\S+\?\S+$/.test(text)) resolve(text);
      else if (text !== "")
        console.error("That is not the address of the redirect. Paste the whole address.");
    });
  });
  return { url, stop: () => lines.close() };
}
