import type { SiteContract } from "../contract.ts";
import { uniqueId } from "../markdown.ts";
import { addressOf, type Page, plainText, slug, summaryOf, table } from "../page.ts";
import { demoServer } from "../read-contract.ts";
import { readSdk, type SdkExport, type SdkPackage } from "../sdk/entry-points.ts";
import { exportsOfEntryPoints, sectionsOf } from "../sdk/export-sections.ts";
import { firstSentence, isContract, type LinkTypes, linkTypes } from "../sdk/links.ts";
import { keyOf, memberSections, type Section } from "../sdk/sections.ts";

/** A page whose links are not known yet. */
interface PlannedPage extends Omit<Page, "section" | "label" | "markdown"> {
  intro: (links: LinkTypes) => string;
  sections: Section[];
  /** What links to the page itself. */
  key?: string;
}

/** Returns the reference of the SDK: an overview, and pages for the parts of each entry point. */
export function sdkPages(contract: SiteContract): Page[] {
  const sdk = readSdk();
  const planned = [...clientPages(sdk, contract), ...resourcePages(sdk), ...otherPages(sdk)];
  const links = linkTypes(sdk.read, addressesOf(planned), contract.components.schemas);
  const pages = planned.map(({ path, title, description, group, intro, sections }): Page => {
    const texts = sections.map(
      ({ level, heading, text }) => `${"#".repeat(level)} ${heading}\n\n${text(links)}`,
    );
    const markdown = [intro(links), ...texts].join("\n\n");
    return { path, title, description, section: "SDK", group, label: title, markdown };
  });
  return [overviewPage(sdk, pages), ...pages];
}

/** Returns the address of each section by its key. */
function addressesOf(pages: PlannedPage[]): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const { path, key, sections } of pages) {
    if (key !== undefined) addresses.set(key, addressOf(path));
    const ids = new Map<string, number>();
    for (const section of sections) {
      const id = uniqueId(slug(plainText(section.heading)), ids);
      addresses.set(section.key, `${addressOf(path)}#${id}`);
    }
  }
  return addresses;
}

/** Returns the page with the README, and lists of the entry points and pages. */
function overviewPage(sdk: SdkPackage, pages: Page[]): Page {
  const [, intro = "", rest = ""] = /^# .*?\n+(.*?)(?=^## )(.*)$/ms.exec(sdk.readme) ?? [];
  const entryPoints = sdk.entryPoints.map(({ name, description }) => [`\`${name}\``, description]);
  const rows = pages.map(({ title, path, description }) => [`[${title}](${addressOf(path)})`, description]);
  const parts = [
    intro.trim().replace("https://parley.example.com/sdk.tgz", `${demoServer}/sdk.tgz`),
    `## Entry points\n\n${table(["Import", "Content"], entryPoints)}`,
    `## Reference\n\n${table(["Page", "Content"], rows)}`,
    rest.trim(),
  ];
  return {
    path: "sdk",
    title: "SDK for TypeScript",
    description: sdk.description,
    section: "SDK",
    group: "Client",
    label: "Overview",
    markdown: parts.join("\n\n"),
  };
}

/** Returns the pages of the main entry point except the resources. */
function clientPages(sdk: SdkPackage, contract: SiteContract): PlannedPage[] {
  const all = exportsOfEntryPoints(sdk, (name) => name === sdk.name);
  const inFolder = (pattern: RegExp) => all.filter(({ file }) => pattern.test(file));
  const common = { group: "Client", intro: () => `Import from \`${sdk.name}\`.` };
  return [
    {
      ...common,
      path: "sdk/client",
      title: "Client",
      description: "Parley, the client of the API: options, calls, lists, polling, hooks and logging.",
      sections: sectionsOf(
        sdk,
        all.filter(({ file }) => !/^(errors|generated|oauth|resources)\/|^(platform|types)\./.test(file)),
      ),
    },
    {
      ...common,
      path: "sdk/oauth",
      title: "OAuth functions",
      description:
        "Functions for the authorization code flow: PKCE, redirects, tokens, refresh and revocation.",
      sections: sectionsOf(sdk, inFolder(/^oauth\//)),
    },
    {
      ...common,
      path: "sdk/errors",
      title: "Error classes",
      description: "Classes of the errors that calls and OAuth functions throw.",
      sections: sectionsOf(sdk, inFolder(/^errors\//)),
    },
    {
      ...common,
      path: "sdk/platform",
      title: "Platform client",
      description: "ParleyPlatform, the client of the Platform API.",
      sections: sectionsOf(sdk, inFolder(/^platform\./)),
    },
    typesPage(sdk, contract, inFolder(/^(generated\/|types\.)/)),
  ];
}

/** Returns the page of the types of records, requests and responses, which the schemas describe. */
function typesPage(sdk: SdkPackage, contract: SiteContract, all: SdkExport[]): PlannedPage {
  const isSchema = ({ file, name }: SdkExport) => isContract(file) && name in contract.components.schemas;
  const rows = all
    .filter(isSchema)
    .map(({ exportedAs, name }) => [
      `[${exportedAs}](${addressOf(`schemas/${name}`)})`,
      summaryOf(contract.components.schemas[name]?.description ?? ""),
    ]);
  return {
    path: "sdk/types",
    title: "Types of the contract",
    description: "Types of records, requests and responses, which are generated from the contract.",
    group: "Client",
    intro: () => `Import from \`${sdk.name}\`.\n\n${table(["Type", "Description"], rows)}`,
    sections: sectionsOf(
      sdk,
      all.filter((one) => !isSchema(one)),
    ),
  };
}

/** Returns a page for each resource of the client, with a section for each method. */
function resourcePages(sdk: SdkPackage): PlannedPage[] {
  const client = sdk.read("parley.d.ts").declarations.get("Parley");
  return exportsOfEntryPoints(sdk, (name) => name === sdk.name).flatMap(({ file, name, declaration }) => {
    const property = client?.members.find(({ type }) => type === name);
    if (!declaration || !property || !file.startsWith("resources/")) return [];
    const title = `parley.${property.name}`;
    const sections = memberSections(declaration, { level: 2, prefix: title });
    return [
      {
        path: `sdk/${title}`,
        title,
        description: declaration.doc.description,
        group: "Resources",
        key: keyOf(declaration),
        intro: (links) => {
          const rows = declaration.members.map((member) => [
            links.describe(`{@link ${member.name}}`, file, name),
            links.describe(firstSentence(member.doc.description), file, name),
          ]);
          const type = `Class \`${name}\`, which \`${sdk.name}\` exports as a type.`;
          return `${declaration.doc.description}\n\n${type}\n\n${table(["Method", "Description"], rows)}`;
        },
        sections,
      },
    ];
  });
}

/** Returns the pages of the entry points other than the main one. */
function otherPages(sdk: SdkPackage): PlannedPage[] {
  const pageOf = (path: string, title: string, group: string, entryPoint: string): PlannedPage => {
    const found = sdk.entryPoints.find(({ name }) => name === entryPoint);
    return {
      path,
      title,
      group,
      description: plainText(summaryOf(found?.description ?? "")),
      intro: () => `Import from \`${entryPoint}\`.`,
      sections: sectionsOf(
        sdk,
        exportsOfEntryPoints(sdk, (name) => name === entryPoint),
      ),
    };
  };
  return [
    pageOf("sdk/webhooks", "Webhook signatures", "Webhooks", `${sdk.name}/webhooks`),
    ...webhookPages(sdk),
    pageOf("sdk/testing", "Test support", "Testing", `${sdk.name}/testing`),
  ];
}

/** Returns the pages of the verification with public keys and of the receivers. */
function webhookPages(sdk: SdkPackage): PlannedPage[] {
  const base = `${sdk.name}/webhooks`;
  const publicKey = `${base}/public-key`;
  return [
    webhookPage(sdk, (name) => name === publicKey, {
      path: "sdk/public-keys",
      title: "Verification with public keys",
      description:
        "Verify webhook deliveries with the public keys of the organization, without the signing secret.",
    }),
    webhookPage(sdk, (name) => name.startsWith(`${base}/`) && name !== publicKey, {
      path: "sdk/receivers",
      title: "Webhook receivers",
      description: "Receivers of webhook deliveries for Express, Fastify, Node.js and functions of requests.",
    }),
  ];
}

/** Returns the page of some entry points, without the exports that the page about signatures has. */
function webhookPage(
  sdk: SdkPackage,
  isWanted: (name: string) => boolean,
  page: Pick<PlannedPage, "path" | "title" | "description">,
): PlannedPage {
  const names = sdk.entryPoints.filter(({ name }) => isWanted(name)).map(({ name }) => `\`${name}\``);
  const oneOf = new Intl.ListFormat("en-GB", { type: "disjunction" });
  const allOf = new Intl.ListFormat("en-GB");
  const ofBase = exportsOfEntryPoints(sdk, (name) => name === `${sdk.name}/webhooks`);
  const others = new Set(ofBase.map((one) => keyOf(one)));
  const all = exportsOfEntryPoints(sdk, isWanted);
  const shared = all.filter((one) => others.has(keyOf(one)));
  const subject = names.length === 1 ? "It" : "Each";
  return {
    ...page,
    group: "Webhooks",
    intro: (links) =>
      `Import from ${oneOf.format(names)}. ${subject} also exports ${allOf.format(shared.map(({ name, file }) => links.type(name, file)))}.`,
    sections: sectionsOf(
      sdk,
      all.filter((one) => !others.has(keyOf(one))),
    ),
  };
}
