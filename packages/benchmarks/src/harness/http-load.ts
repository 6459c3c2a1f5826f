import autocannon, { type Options } from "autocannon";

interface Server {
  call(name: "cpuSeconds"): Promise<number>;
}

/**
 * Sends requests over 10 connections, each after the response to the previous request.
 *
 * @throws when a response was not 2xx: the run is void
 */
export async function sendRequests(server: Server, options: Options) {
  const cpuBefore = await server.call("cpuSeconds");
  const startedAt = performance.now();
  const result = await autocannon({ connections: 10, ...options });
  const elapsed = (performance.now() - startedAt) / 1_000;
  const cpu = (await server.call("cpuSeconds")) - cpuBefore;
  const { non2xx, errors, timeouts, "2xx": succeeded } = result;
  if (non2xx + errors + timeouts > 0 || succeeded === 0) {
    throw new Error(`void: ${options.url}: ${non2xx} refused, ${errors} failed, ${timeouts} timed out`);
  }
  return { perSecond: succeeded / elapsed, cpuMs: (cpu / succeeded) * 1_000 };
}
