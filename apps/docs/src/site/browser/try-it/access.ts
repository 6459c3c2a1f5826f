import type { PathOperation } from "../../contract.ts";
import { element } from "../element.ts";
import { accessToken, forgetTokens, isSignedIn, signIn, signOut } from "./authorization.ts";

/** Part of the dialog in which the reader signs in or enters a platform key. */
export interface Access {
  readonly element: HTMLElement;
  /** Shows what an operation needs. */
  show(operation: PathOperation): void;
  /** Returns the token for the request; undefined if the operation needs none. @throws Error if the reader must sign in */
  token(): Promise<string | undefined>;
  /** Asks the reader to sign in again. */
  expire(): void;
}

type Scheme = "oauth2" | "platformKey" | undefined;

/** Client of the demo, which has the demo's users. */
const demoClient = "parley-docs";

/**
 * Creates the part.
 *
 * @param changed called after the reader signed in
 */
export function createAccess(clientId: string, changed: () => void): Access {
  let scheme: Scheme;
  let scopes: string[] = [];
  const place = element("div", { class: "access stack" });
  const problem = element("p", { class: "alert", role: "alert", hidden: true });
  const key = element("input", { id: "try-key", type: "password", autocomplete: "off" });
  const report = (text: string) => {
    problem.textContent = text;
    problem.hidden = text === "";
  };

  return {
    element: place,
    show({ operation }) {
      const [security] = operation.security ?? [];
      scheme = Object.keys(security ?? {})[0] as Scheme;
      scopes = security?.["oauth2"] ?? [];
      report("");
      void render();
    },
    async token() {
      if (scheme === undefined) return undefined;
      const token = scheme === "platformKey" ? key.value : await accessToken();
      if (token) return token;
      await render();
      throw new Error(scheme === "platformKey" ? "Enter the platform key." : "Sign in first.");
    },
    expire() {
      if (scheme !== "oauth2") return;
      forgetTokens();
      void render();
    },
  };

  async function render(): Promise<void> {
    if (scheme === undefined) {
      place.replaceChildren(element("p", { class: "quiet" }, "This operation needs no token."));
    } else if (scheme === "platformKey") {
      const label = element("label", { for: key.id }, "Platform key");
      const hint = element(
        "p",
        { class: "hint" },
        "Key of your chatbot platform. The demo prints the name of its file when it starts.",
      );
      place.replaceChildren(element("div", { class: "field" }, label, hint, key), problem);
    } else if (isSignedIn()) {
      const button = element("button", { type: "button", class: "button link" }, "Sign out");
      button.addEventListener("click", () => void attempt(signOut));
      const name = await organizationName();
      place.replaceChildren(element("p", {}, `Signed in${name && ` to ${name}`}. `, button), problem);
    } else {
      const button = element("button", { type: "button", class: "button" }, "Sign in");
      button.addEventListener("click", () => {
        button.disabled = true;
        void attempt(() => signIn(clientId));
      });
      const needed = scopes.length > 0 ? ` with ${scopes.join(", ")}` : "";
      const text = `To send the request, you need an access token${needed}. Signing in requests all scopes. The token stays in the memory of this page.`;
      place.replaceChildren(element("p", {}, text), ...demoHint(), button, problem);
    }
  }

  function demoHint(): HTMLElement[] {
    if (clientId !== demoClient) return [];
    const [email, password] = [
      element("code", {}, "pro@demo.parley.dev"),
      element("code", {}, "parley-demo"),
    ];
    return [element("p", { class: "hint" }, "Demo user: ", email, ", password ", password)];
  }

  async function attempt(action: () => Promise<void>): Promise<void> {
    report("");
    try {
      await action();
    } catch (error) {
      const { message, description = message } = error as Error & { description?: string };
      report(description);
    }
    await render();
    place.querySelector("button")?.focus(); // The button that had the focus is replaced.
    changed();
  }
}

/** Returns the name of the reader's organization; empty if the API does not respond. */
async function organizationName(): Promise<string> {
  const headers = { authorization: `Bearer ${await accessToken()}` };
  const response = await fetch("/api/v1/me", { headers, credentials: "omit" }).catch(() => undefined);
  if (!response?.ok) return "";
  const { data } = (await response.json()) as { data: { attributes: { name: string } } };
  return data.attributes.name;
}
