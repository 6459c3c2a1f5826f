import { description, type OperationId, operationTable, pages } from "@parley/contract";
import { withSamples } from "@parley/docs/samples";

/** Operations that have code samples. Pages are opened in a browser. */
export const sampledOperations = operationTable.filter(({ path }) => !(path in pages.paths));

interface Sampled {
  operationId?: OperationId;
  "x-codeSamples"?: { label: string; source: string }[];
}

/** Returns the sample of an operation in a language. */
export function sampleOf(operationId: OperationId, label: string, server: string): string {
  const { paths } = withSamples(description, server);
  const sampled = Object.values(paths).flatMap((item) => Object.values(item) as Sampled[]);
  const samples = sampled.find((operation) => operation.operationId === operationId)?.["x-codeSamples"] ?? [];
  const found = samples.find((sample) => sample.label === label);
  if (!found) throw new Error(`${operationId} has no sample in ${label}`);
  return found.source;
}
