import { mkdirSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { accessibilityViolations, scrollsHorizontally } from "./chromium.ts";

/** Folder for screenshots of every state; without it, none are taken. */
const pictures = process.env["PAGE_PICTURES"];
if (pictures) mkdirSync(pictures, { recursive: true });

/** What a page can do wrong. */
interface Flaws {
  /** Violations of axe's accessibility rules. */
  found: string[];
  /** Whether the page is wider than the window. */
  tooWide: boolean;
  /** Requests to other servers. */
  foreign: string[];
  /** Messages of the browser's console, such as violations of the Content-Security-Policy. */
  complaints: string[];
}

/** A page without flaws. */
export const flawless: Flaws = { found: [], tooWide: false, foreign: [], complaints: [] };

/** How a page is shown. */
export interface Look {
  colorScheme: "light" | "dark";
  width: number;
}

/** Looks in which every state is tested: wide and light, and a narrow phone in the dark. */
export const looks: Look[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 320 },
];

/** Browser window that checks the accessibility, layout and requests of each page state. */
export class PageTester {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #name: string;
  readonly #foreign: string[] = [];
  readonly #complaints: string[] = [];

  /** @param origin of the server */
  static async open(browser: Browser, origin: string, look: Look): Promise<PageTester> {
    const { colorScheme, width } = look;
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      reducedMotion: "reduce",
    });
    return new PageTester(context, await context.newPage(), origin, `${colorScheme}-${width}`);
  }

  private constructor(context: BrowserContext, page: Page, origin: string, name: string) {
    this.context = context;
    this.page = page;
    this.#name = name;
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== origin) this.#foreign.push(request.url());
    });
    page.on("console", (message) => {
      if (!/status of 4\d\d/.test(message.text())) this.#complaints.push(message.text());
    });
    page.on("pageerror", ({ message }) => this.#complaints.push(message));
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel("Email").fill(email);
    await this.page.getByLabel("Password").fill(password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
  }

  press(name: string): Promise<void> {
    return this.page.getByRole("button", { name, exact: true }).click();
  }

  follow(name: string): Promise<void> {
    return this.page.getByRole("link", { name, exact: true }).first().click();
  }

  /** Checks axe's rules, that the page fits the window, that it sends no requests to other servers, and that the CSP blocks nothing. */
  async judge(state: string): Promise<Flaws> {
    if (pictures)
      await this.page.screenshot({ path: `${pictures}/${state}-${this.#name}.png`, fullPage: true });
    const found = await accessibilityViolations(this.page);
    const tooWide = await scrollsHorizontally(this.page);
    return { found, tooWide, foreign: this.#foreign, complaints: this.#complaints };
  }
}
