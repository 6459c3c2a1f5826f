import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../../openapi/chapters");

export interface Sample {
  /** Name of the chapter's file, without extension. */
  chapter: string;
  /** The heading that it stands under. */
  heading: string;
  language: string;
  code: string;
}

/** Every code sample of the chapters, in reading order. */
export const samples: Sample[] = readdirSync(folder).flatMap((file) => {
  const chapter = file.replace(/\.md$/, "");
  return readFileSync(join(folder, file), "utf8")
    .split(/^(?=#+ )/m)
    .flatMap((section) => {
      const heading = /^#+ (.+)/.exec(section)?.[1] ?? "";
      const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
      return blocks.map(([, language = "", code = ""]) => ({ chapter, heading, language, code }));
    });
});

/** The only sample that fits; throws when there is none or several. */
export function sampleOf(wanted: Partial<Sample>): string {
  const found = samples.filter((sample) =>
    Object.entries(wanted).every(([key, value]) => sample[key as keyof Sample] === value),
  );
  if (found.length !== 1) throw new Error(`${found.length} samples fit ${JSON.stringify(wanted)}`);
  return found[0]?.code ?? "";
}
