import { description, type OperationId, operationTable, pages } from "@parley/contract";
import { withSamples } from "@parley/docs/samples";

/** Operations that have code samples. Pages are opened in a browser. */
export const sampledOperations = operationTable.filter(({ path }) => !(path in pages.paths));

interface Sampled {
  operationId?: OperationId;
  "x-codeSamples"?: { label: string; source: string }[];
}

/** Samples by server, operation and language. */
const built = new Map<string, Map<string, string>>();

function samplesFor(server: string): Map<string, string> {
  const { paths } = withSamples(description, server);
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Sampled[]);
  return new Map(
    operations.flatMap(({ operationId, "x-codeSamples": samples = [] }) =>
      samples.map(({ label, source }) => [`${operationId} ${label}`, source] as const),
    ),
  );
}

/** Returns the sample of an operation in a language. */
export function sampleOf(operationId: OperationId, label: string, server: string): string {
  const samples = built.get(server) ?? samplesFor(server);
  built.set(server, samples);
  const found = samples.get(`${operationId} ${label}`);
  if (!found) throw new Error(`${operationId} has no sample in ${label}`);
  return found;
}
