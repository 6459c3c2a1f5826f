/** The sections that the page must show, computed from the contract. */

export interface Contract {
  info: { description: string };
  tags: { name: string; "x-displayName"?: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId?: string;
  tags: [string];
  summary: string;
  description: string;
  requestBody?: { content: { "application/json": { example?: { id: string } } } };
}

export interface Section {
  /** Address within the page, after the `#`. */
  address: string;
  title: string;
}

const methods = ["get", "post", "put", "patch", "delete"];

/** The guide: sections of the introduction, chapters, and the sections within them. */
export function chaptersOf({ info, tags }: Contract): Section[] {
  const introduction = headingsOf(info.description, "#").map((title) => ({
    address: `section/${slug(title)}`,
    title,
  }));
  const chapters = tags.flatMap(({ name, "x-displayName": title = name, description }) => {
    const address = `tag/${slug(name)}`;
    const sections = headingsOf(description, "##").map((heading) => ({
      address: `${address}/${slug(heading)}`,
      title: heading,
    }));
    return [{ address, title }, ...sections];
  });
  return [...introduction, ...chapters];
}

export function operationsOf(contract: Contract): Section[] {
  return sectionsOf(contract.paths, (_, { operationId }) => `operation/${operationId}`);
}

export function eventsOf(contract: Contract): Section[] {
  return sectionsOf(contract.webhooks, (name) => `paths/${name}/post`);
}

/** The code blocks of the guide, in any order. */
export function codeOf({ info, tags }: Contract): string[] {
  const texts = [info.description, ...tags.map(({ description }) => description)];
  return texts.flatMap((text) => [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = ""]) => code));
}

function sectionsOf(
  items: Record<string, Record<string, Operation>>,
  addressOf: (name: string, operation: Operation) => string,
): Section[] {
  return Object.entries(items).flatMap(([name, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([, operation]) => ({
        address: `tag/${slug(operation.tags[0])}/${addressOf(name, operation)}`,
        title: operation.summary,
      })),
  );
}

/** Returns the headings of a level. Ignores code blocks, because a line of code may look like a heading. */
function headingsOf(text: string, level: "#" | "##"): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, "");
  return [...prose.matchAll(new RegExp(`^${level} (.+)$`, "gm"))].map(([, title = ""]) => title);
}

function slug(title: string): string {
  return title.replaceAll(" ", "-");
}
