import { type Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { moment, print } from "@parley/command-line";
import { type ReadOperation, readOperations } from "@parley/contract/read-operations";
import { connect } from "../connection.ts";
import { recordFields, recordTable } from "../output/record.ts";
import { readOperation } from "../read-operation.ts";
import { groupOf } from "./groups.ts";
import { jsonOption, type ServerOptions, serverOption } from "./options.ts";

/** Adds a command for each operation of the contract that reads data. */
export function addReadCommands(program: Command): void {
  for (const operation of readOperations) addReadCommand(program as CommandUnknownOpts, operation);
}

function addReadCommand(program: CommandUnknownOpts, operation: ReadOperation): void {
  const { command: words, summary, pathParameters, queryParameters } = operation;
  const [first = "", second] = words;
  const parent = second === undefined ? program : groupOf(program, first);
  const command: CommandUnknownOpts = parent.command(second ?? first).description(`${sentenceOf(summary)}.`);
  for (const { name, description } of pathParameters)
    command.argument(`<${dashed(name)}>`, described(description));
  for (const parameter of queryParameters) command.addOption(optionOf(parameter));
  command.option(...serverOption).option(...jsonOption);
  command.action(async (...values: unknown[]) => {
    const ids = values.slice(0, pathParameters.length) as string[];
    const options = command.opts() as ServerOptions & Record<string, string | string[]>;
    const { server, json } = options;
    const query = Object.fromEntries(
      queryParameters.flatMap(({ name }) => {
        const value = options[camelCase(name)];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const parley = connect(server);
    const body = await readOperation<Body>(parley, operation, ids, query);
    print(json, body, () => textOf(body));
  });
}

/** Returns the option for a query parameter. Times can also be durations, and several values can be separated by commas. */
function optionOf({
  name,
  description,
  values,
  isRepeatable,
  isTime,
}: ReadOperation["queryParameters"][number]): Option {
  const option = new Option(`--${dashed(name)} <value>`, described(description));
  if (isTime) return option.argParser((text) => moment(text).toISOString());
  if (isRepeatable) {
    option.description += values ? `: ${values.join(", ")}` : "";
    return option.argParser((text, earlier?: string[]) => [...(earlier ?? []), ...text.split(",")]);
  }
  return values ? option.choices(values) : option;
}

/** Body of a response. */
interface Body {
  readonly data: Record<string, unknown> | Record<string, unknown>[];
  readonly meta: {
    readonly total?: number;
    readonly next_cursor?: string | null;
    readonly has_more?: boolean;
  };
}

function textOf({ data, meta }: Body): string {
  if (!Array.isArray(data)) return recordFields(data);
  const lines = [recordTable(data, process.stdout.isTTY ? process.stdout.columns : Infinity)];
  if (meta.has_more && meta.next_cursor) {
    const of = meta.total === undefined ? "" : ` of ${meta.total}`;
    lines.push("", `${data.length}${of} shown. Next page: --cursor ${meta.next_cursor}`);
  }
  return lines.join("\n");
}

/** Returns the third person of a summary: `List leads` is `Lists leads`. */
function sentenceOf(summary: string): string {
  return summary.replace(/^\w+/, "$&s");
}

/** Returns a description as help texts have it: with a small letter, except for names such as `ID`. */
function described(description: string): string {
  return description.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

function dashed(name: string): string {
  return name.replaceAll("_", "-");
}

/** Returns the name under which commander stores an option. */
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
