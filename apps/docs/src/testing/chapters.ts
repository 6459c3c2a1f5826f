import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../../openapi/chapters");

export interface Sample {
  /** Name of the chapter's file without the extension. */
  chapter: string;
  /** The heading above the sample. */
  heading: string;
  language: string;
  code: string;
}

/** Every code sample of the chapters, in reading order. */
export const samples: Sample[] = globSync("*.md", { cwd: folder })
  .toSorted()
  .flatMap((file) => {
    const chapter = file.replace(/\.md$/, "");
    return readFileSync(join(folder, file), "utf8")
      .split(/^(?=#+ )/m)
      .flatMap((section) => {
        const heading = /^#+ (.+)/.exec(section)?.[1] ?? "";
        const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
        return blocks.map(([, language = "", code = ""]) => ({ chapter, heading, language, code }));
      });
  });

/** Commands that send requests to the API. */
export const apiCommands: Sample[] = samples.filter(
  ({ language, code }) => language === "sh" && /curl .*127\.0\.0\.1:8080/s.test(code),
);

/** Returns the only matching sample. @throws if none or several match */
export function sampleOf(wanted: Partial<Sample>): string {
  const found = samples.filter((sample) =>
    Object.entries(wanted).every(([key, value]) => sample[key as keyof Sample] === value),
  );
  if (found.length !== 1) throw new Error(`${found.length} samples match ${JSON.stringify(wanted)}`);
  return found[0]?.code ?? "";
}
