import { type AccentTokens, accentTokens } from "./accent.ts";
import { attributes, type Html, html } from "./html.ts";
import { logo } from "./logo.ts";
import { stylesheets } from "./stylesheets.ts";

/** Image that replaces Parley's logo. */
export interface LogoImage {
  type: "image/png" | "image/svg+xml";
  data: Buffer;
}

interface BrandOptions {
  /** Shown in the header and in the titles of pages. */
  name: string;
  logo?: LogoImage | undefined;
  /** Color of links and buttons, `#rrggbb`. It is adapted to both color schemes. */
  accent?: string | undefined;
}

/** Name, logo and colors of pages. */
export interface Brand {
  name: string;
  logo: Html;
  /** Content-Security-Policy source of the logo; undefined if no source is needed. */
  imageSource: string | undefined;
  /** All styles of a page, in a `style` element. A Content-Security-Policy can allow them by their hash. */
  styles: string;
}

/**
 * Creates a brand. An image is shown in an `img` element, so that scripts in an SVG never run. Its data is in the address, so
 * that no one can open the SVG as a page of the server.
 */
export function createBrand({ name, logo: image, accent }: BrandOptions): Brand {
  const styles = Object.values(stylesheets);
  if (accent !== undefined) styles.push(accentStyles(accentTokens(accent)));
  return {
    name,
    logo: image ? imageLogo(image) : logo,
    imageSource: image ? "data:" : undefined,
    styles: styles.join("\n"),
  };
}

function imageLogo({ type, data }: LogoImage): Html {
  const src = `data:${type};base64,${data.toString("base64")}`;
  return html`<img class="logo"${attributes({ src, alt: "" })}>`; // The name is next to it.
}

function accentStyles({ light, dark }: AccentTokens): string {
  const rule = (tokens: object) =>
    `:root{${Object.entries(tokens)
      .map(([name, value]) => `${name}:${value}`)
      .join(";")}}`;
  return `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`;
}

export const parleyBrand: Brand = createBrand({ name: "Parley" });
