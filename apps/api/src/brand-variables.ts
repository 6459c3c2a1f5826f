import { readFileSync } from "node:fs";
import { type Brand, createBrand, type LogoImage } from "@parley/ui";
import { z } from "zod";

const maxLogoBytes = 50_000;
const pngSignature = Buffer.from("89504e470d0a1a0a", "hex");

const logoFile = z.string().transform((path, context): LogoImage => {
  const problem = (text: string) => {
    context.addIssue(text);
    return z.NEVER;
  };
  const data = readFile(path);
  if (!data) return problem("must be the path of a file that this process can read");
  if (data.length > maxLogoBytes)
    return problem(`must be a file of up to ${maxLogoBytes} bytes, and the file has ${data.length}`);
  const type = typeOf(data);
  return type ? { type, data } : problem("must be an SVG or PNG file");
});

function readFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function typeOf(data: Buffer): LogoImage["type"] | undefined {
  if (data.subarray(0, pngSignature.length).equals(pngSignature)) return "image/png";
  return /^\uFEFF?\s*<(?:[?!].*<)?svg[\s/>]/s.test(data.toString()) ? "image/svg+xml" : undefined;
}

/** Environment variables for the brand of the pages. */
export const brandVariables = {
  CONSOLE_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,40}$/u, "must have 1 to 40 characters, without control characters")
    .default("Parley")
    .meta({
      description:
        "Name in the header and titles of all pages, for example the name of your chatbot platform; 1 to 40 characters.",
      example: "Acme Chat",
    }),
  CONSOLE_LOGO: logoFile.optional().meta({
    description:
      "Path of an SVG or PNG file of up to 50 kB that all pages show next to the name. Read when the server starts. Default: the logo of Parley.",
    example: "/etc/parley/logo.svg",
  }),
  CONSOLE_ACCENT: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "must be a color like #0b6b62")
    .optional()
    .meta({
      description:
        "Color of links and buttons on all pages, `#rrggbb`. It is made darker for light pages and lighter for dark pages, until it is readable. Default: the color of Parley.",
      example: "#0b6b62",
    }),
};

interface BrandConfig {
  CONSOLE_NAME: string;
  CONSOLE_LOGO?: LogoImage | undefined;
  CONSOLE_ACCENT?: string | undefined;
}

/** Creates the brand of the pages from the environment variables. */
export function configuredBrand({ CONSOLE_NAME, CONSOLE_LOGO, CONSOLE_ACCENT }: BrandConfig): Brand {
  return createBrand({ name: CONSOLE_NAME, logo: CONSOLE_LOGO, accent: CONSOLE_ACCENT });
}
