/** What the dialog shows of a request and its response. */
import type { Call } from "../../../calls.ts";
import { curlSample } from "../../../curl-sample.ts";
import { addressOf } from "../../../sample-parts.ts";
import { typescriptSample } from "../../../typescript-sample.ts";
import { addCopyButtons } from "../copy-buttons.ts";
import { element } from "../element.ts";
import { codeBlock } from "./highlighted-code.ts";
import type { Received } from "./send.ts";

/** Element that shows a request as curl and as code with the SDK. The samples read the token from a variable. */
export function createRequestOutput(): {
  element: HTMLElement;
  show(call: Call, isForBrowsers: boolean): void;
} {
  const place = element("div");
  let openLabel = "curl"; // Stays open when the request changes.
  return {
    element: place,
    show(call, isForBrowsers) {
      const server = location.origin;
      const samples = isForBrowsers
        ? [codeBlock(addressOf(call, server), "text")]
        : [
            sample("curl", codeBlock(curlSample([call], server), "bash")),
            sample("TypeScript", codeBlock(typescriptSample([call], server), "typescript")),
          ];
      place.replaceChildren(...samples);
      addCopyButtons(place);
    },
  };

  function sample(label: string, code: HTMLElement): HTMLElement {
    const attributes = { class: "sample", name: "try-sample", open: label === openLabel };
    const details = element("details", attributes, element("summary", {}, label), code);
    details.addEventListener("toggle", () => {
      if (details.open) openLabel = label;
    });
    return details;
  }
}

/** Returns the response with its headers. */
export function showResponse({ status, headers, body, durationMs }: Received): HTMLElement {
  const kind = status < 400 ? "good" : "alert";
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  const parts = [
    element(
      "p",
      {},
      element("span", { class: `badge ${kind}` }, String(status)),
      ` ${durationMs} ms, ${new Blob([body]).size.toLocaleString("en")} bytes`,
    ),
    ...explain(body),
    body === "" ? element("p", { class: "quiet" }, "The response has no body.") : formatted(body),
    element("details", {}, element("summary", {}, "Response headers"), codeBlock(lines, "text")),
  ];
  const shown = element("div", {}, ...parts);
  addCopyButtons(shown);
  return shown;
}

function formatted(body: string): HTMLElement {
  const value = parse(body);
  return value === undefined ? codeBlock(body, "text") : codeBlock(JSON.stringify(value, null, 2), "json");
}

/** Returns a link to the page of the error. */
function explain(body: string): HTMLElement[] {
  const { error } = (parse(body) ?? {}) as { error?: unknown };
  if (typeof error !== "string" || !/^\w+$/.test(error)) return [];
  return [
    element(
      "p",
      {},
      element("a", { href: `/docs/errors/${error}`, target: "_blank" }, `What ${error} means`),
    ),
  ];
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
