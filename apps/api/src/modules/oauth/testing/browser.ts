import type { ConformingFetch } from "@parley/contract/testing";

/** Minimal browser for server-rendered pages: cookies and the CSRF token of forms. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #fetch: ConformingFetch;

  constructor(fetch: ConformingFetch) {
    this.#fetch = fetch;
  }

  get(url: string): Promise<Response> {
    return this.send(url, {});
  }

  /** Submits the form of the page at `url` that has the button, with the page's CSRF token unless `fields` has another. */
  async press(
    action: string,
    url: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const page = await (await this.get(url)).text();
    const form = page.split("<form").find((text) => text.includes(`name="action" value="${action}"`)) ?? "";
    const target = /^[^>]* action="([^"]+)"/.exec(form)?.[1] ?? url;
    const values = { csrf_token: csrfTokenOf(page), action, ...hiddenFieldsOf(form), ...fields };
    return this.post(new URL(target, url).href, values, headers);
  }

  /** Returns the CSRF token of the page at `url`; empty without one. */
  async csrfToken(url: string): Promise<string> {
    return csrfTokenOf(await (await this.get(url)).text());
  }

  /** Submits a form; a list sends its field once for each value. */
  post(
    url: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    );
    return this.send(url, { method: "POST", body: new URLSearchParams(pairs) }, headers);
  }

  /** Sends a request with the cookies. */
  async send(url: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await this.#fetch(url, { ...init, headers: { ...headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

function csrfTokenOf(page: string): string {
  return /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
}

function hiddenFieldsOf(form: string): Record<string, string> {
  const fields =
    form.split("</form>")[0]?.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g) ?? [];
  return Object.fromEntries(
    [...fields].map(([, name, value = ""]) => [name, value.replaceAll("&amp;", "&")]),
  );
}
