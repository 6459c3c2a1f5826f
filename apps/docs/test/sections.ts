/** The sections that the page must show, computed from the contract. */

export interface Contract {
  tags: { name: string; "x-displayName"?: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
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

/** The guide: chapters, and the sections within them. */
export function chaptersOf({ tags }: Contract): Section[] {
  return tags.flatMap(({ name, "x-displayName": title = name, description }) => {
    const address = `tag/${slug(name)}`;
    const sections = headingsOf(description).map((heading) => ({
      address: `${address}/${slug(heading)}`,
      title: heading,
    }));
    return [{ address, title }, ...sections];
  });
}

export function operationsOf(contract: Contract): Section[] {
  return sectionsOf(contract.paths);
}

export function eventsOf(contract: Contract): Section[] {
  return sectionsOf(contract.webhooks);
}

/** The code blocks of the guide, in any order. */
export function codeOf({ tags }: Contract): string[] {
  const texts = tags.map(({ description }) => description);
  return texts.flatMap((text) => [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = ""]) => code));
}

function sectionsOf(items: Record<string, Record<string, Operation>>): Section[] {
  return Object.values(items).flatMap((item) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([, operation]) => ({
        address: `tag/${slug(operation.tags[0])}/operation/${operation.operationId}`,
        title: operation.summary,
      })),
  );
}

/** Returns the `##` headings. Code blocks are left out, because a line of code may look like a heading. */
function headingsOf(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title);
}

function slug(title: string): string {
  return title.replaceAll(" ", "-");
}
