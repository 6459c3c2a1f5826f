import { stylesheets } from "./stylesheets.ts";

type Color = [red: number, green: number, blue: number];

/** Minimum contrast of text, WCAG 2.2 success criterion 1.4.3. */
const minContrast = 4.5;

/** Colors behind text in the accent color, as names of tokens. */
const backgrounds = ["page", "backdrop", "raised", "good-page", "warning-page", "alert-page"];

interface SchemeTokens {
  "--accent": string;
  "--on-accent": string;
}

/** Tokens that replace the accent color in the light and in the dark color scheme. */
export interface AccentTokens {
  light: SchemeTokens;
  dark: SchemeTokens;
}

/**
 * Derives the tokens of both color schemes from one color. The color is mixed with black (light) or white (dark) until its
 * contrast on every background is at least 4.5:1. Text on it has the color of the page, so its contrast is the same.
 *
 * @param accent `#rrggbb`
 */
export function accentTokens(accent: string): AccentTokens {
  return {
    light: tokensOf(accent, "light", [0, 0, 0]),
    dark: tokensOf(accent, "dark", [255, 255, 255]),
  };
}

function tokensOf(accent: string, scheme: "light" | "dark", target: Color): SchemeTokens {
  const behind = backgrounds.map((name) => tokenOf(name, scheme));
  const color = parse(accent);
  let mixed = color;
  for (let percent = 0; !behind.every((other) => contrast(mixed, parse(other)) >= minContrast); percent++) {
    mixed = mix(color, target, percent / 100);
  }
  return { "--accent": format(mixed), "--on-accent": tokenOf("page", scheme) };
}

/** Reads a token of tokens.css, which has the light values first. */
function tokenOf(name: string, scheme: "light" | "dark"): string {
  const [light, dark] = [...stylesheets.tokens.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, "g"))];
  const value = (scheme === "light" ? light : dark)?.[1];
  if (value === undefined) throw new Error(`tokens.css has no ${scheme} --${name}`);
  return value;
}

function parse(color: string): Color {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function format(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function mix(color: Color, other: Color, share: number): Color {
  const part = (index: 0 | 1 | 2) => Math.round(color[index] * (1 - share) + other[index] * share);
  return [part(0), part(1), part(2)];
}

/** Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
function contrast(a: Color, b: Color): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
