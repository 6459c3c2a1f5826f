import {
  errorCodeOf,
  examplesOf,
  find,
  listOperations,
  type Response,
  type SiteContract,
} from "../contract.ts";
import { addressOf, codeBlock, type Page, plainText, table } from "../page.ts";
import { codesOf, pathOf } from "./operations.ts";

/** Returns a page for each error code, with the rows of the tables in the chapter about errors. */
export function errorPages(contract: SiteContract): Page[] {
  const chapter = contract.tags.find(({ name }) => name === "errors")?.description ?? "";
  const rows = rowsOf(chapter);
  const examples = errorExamples(contract);
  const codes = [...new Set([...rows.map(({ code }) => code), ...examples.keys()])];
  return codes.map((code) =>
    errorPage(
      contract,
      code,
      rows.filter((row) => row.code === code),
      examples.get(code),
    ),
  );
}

interface Row {
  status: string;
  code: string;
  cause: string;
  fix: string;
}

/** Reads the rows `| status | code | cause | fix |` of the tables in a chapter. */
function rowsOf(chapter: string): Row[] {
  return [...chapter.matchAll(/^\| *(\d{3}) *\| *`(\w+)` *\| *(.*?) *\| *(.*?) *\|$/gm)].map(
    ([, status = "", code = "", cause = "", fix = ""]) => ({ status, code, cause, fix }),
  );
}

/** Returns the first example of each error code. */
function errorExamples(contract: SiteContract): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const body of Object.values(contract.components.responses).flatMap(examplesOf)) {
    const code = errorCodeOf(body);
    if (code !== undefined && !found.has(code)) found.set(code, body);
  }
  return found;
}

function errorPage(contract: SiteContract, code: string, rows: Row[], example: unknown): Page {
  const operations = listOperations(contract).filter(({ operation }) =>
    Object.values(operation.responses).some((response) =>
      codesOf(find<Response>(contract, response)).includes(code),
    ),
  );
  const links = operations.map(
    ({ operation }) => `- [${operation.summary}](${addressOf(pathOf(operation.operationId))})`,
  );
  const parts = [
    table(
      ["Status", "Cause", "Fix"],
      rows.map(({ status, cause, fix }) => [status, cause, fix]),
    ),
    example === undefined ? "" : `## Example\n\n${codeBlock("json", JSON.stringify(example, null, 2))}`,
    links.length > 0 ? `## Operations\n\n${links.join("\n")}` : "",
    `[Errors](${addressOf("guides/errors")}) explains the format of errors, retries and idempotency keys.`,
  ];
  return {
    path: `errors/${code}`,
    title: code,
    description: plainText(rows[0]?.cause ?? `Error ${code}.`),
    section: "Errors",
    group: "Errors",
    label: code,
    markdown: parts.filter(Boolean).join("\n\n"),
  };
}
