import { guideGroups, listOperations, type SiteContract } from "./contract.ts";
import { addressOf, slug } from "./page.ts";

/** Rewrites links of the contract, which name sections of the one-page reference, to addresses of pages. */
export type RewriteLinks = (markdown: string) => string;

/**
 * Returns the function that rewrites links.
 *
 * @throws Error if a link names a tag or operation that does not exist
 */
export function createLinks(contract: SiteContract): RewriteLinks {
  const operations = new Set(listOperations(contract).map(({ operation }) => operation.operationId));
  const addresses = new Map<string, string>();
  const guides = guideGroups(contract).map(({ name }) => name);
  for (const { name, tags } of contract["x-tagGroups"]) {
    const folder = guides.includes(name) ? "guides" : name === "Webhook events" ? "events" : "api";
    for (const tag of tags) addresses.set(slug(tag), addressOf(`${folder}/${slug(tag)}`));
  }

  return (markdown) =>
    markdown.replaceAll(/\]\(([^)\s]+)\)/g, (_, target: string) => `](${rewrite(target)})`);

  function rewrite(target: string): string {
    if (/^(https?:|mailto:|\/)/.test(target)) return target;
    if (!target.startsWith("#tag/")) return addressOf(target.replace(/^\.\//, ""));
    const [, tag = "", ...rest] = target.split("/");
    if (rest[0] === "operation") {
      if (!operations.has(rest[1] ?? "")) throw new Error(`No operation for the link ${target}`);
      return addressOf(`api/${slug(rest[1] ?? "")}`);
    }
    const address = addresses.get(tag) ?? addresses.get(slug(tag));
    if (address === undefined) throw new Error(`No tag for the link ${target}`);
    return rest[0] === undefined ? address : `${address}#${slug(rest[0])}`;
  }
}
