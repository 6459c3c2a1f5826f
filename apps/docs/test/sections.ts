/** What the page must show, computed from the contract. */

export interface Contract {
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

/** The chapters of the guide, and the sections within them. */
export function chaptersOf(contract: Contract): Section[] {
  const chapters = contract.tags.filter((tag) => tag["x-displayName"] !== undefined);
  return chapters.flatMap((tag) => {
    const headings = [...tag.description.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? "");
    const sections = headings.map((title) => ({ address: `/${tag.name}/${slug(title)}`, title }));
    return [{ address: `/${tag.name}`, title: tag["x-displayName"] ?? "" }, ...sections];
  });
}

export function operationsOf(contract: Contract): Section[] {
  return sectionsOf(contract.paths, (_, operation) => (operation.operationId ?? "").toLowerCase());
}

export function eventsOf(contract: Contract): Section[] {
  return sectionsOf(contract.webhooks, (name) => `paths/${name}/post`);
}

function sectionsOf(
  items: Record<string, Record<string, Operation>>,
  addressOf: (name: string, operation: Operation) => string,
): Section[] {
  return Object.entries(items).flatMap(([name, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([, operation]) => ({
        address: `/${slug(operation.tags[0])}/${addressOf(name, operation)}`,
        title: operation.summary,
      })),
  );
}

function slug(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}
