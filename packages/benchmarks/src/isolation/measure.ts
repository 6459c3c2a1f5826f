import { publishAndWait, type Waits } from "../latency/publish-and-wait.ts";
import { addBacklog, type BadOnes, clear, readBadOnes, settle } from "./bad-ones.ts";
import type { Setting } from "./setting.ts";

/** How many deliveries the bad one has due that is behind. */
export const backlog = 100_000;
/** Events a second of each subscription. */
const perSecond = 4;

/** Only the healthy ones have something due. */
export async function measureAlone(setting: Setting, seconds: number): Promise<Waits> {
  await clear(setting.client);
  await settle(setting.client);
  await setting.worker.call("start", setting.variables);
  const waits = await publishFor(setting, setting.good.length, seconds);
  await setting.worker.call("stop");
  return waits;
}

/** @throws when the bad ones were not bad enough */
export async function measureAmongBadOnes(setting: Setting, seconds: number): Promise<Waits & BadOnes> {
  const { client, bad, badReceiver } = setting;
  await clear(client);
  await addBacklog(client, bad.backlog, backlog);
  await settle(client);
  await badReceiver.call("take");
  await setting.worker.call("start", setting.variables);
  const waits = await publishFor(setting, setting.good.length + Object.keys(bad).length, seconds);
  const arrivals = await badReceiver.call("take");
  const badOnes = await readBadOnes(client, bad, arrivals);
  await badReceiver.call("disconnect"); // The worker waits for those that hang.
  await setting.worker.call("stop");
  return { ...waits, ...badOnes };
}

/** @param count of the organizations for which events are published, the healthy ones first */
function publishFor(
  { good, bad, publisher, receiver }: Setting,
  count: number,
  seconds: number,
): Promise<Waits> {
  const organizationIds = [...good, ...Object.values(bad)].map(({ organizationId }) => organizationId);
  const flow = {
    publisher,
    receiver,
    organizationIds: organizationIds.slice(0, count),
    perSecond: perSecond * count,
  };
  return publishAndWait(flow, seconds, organizationIds.slice(0, good.length));
}
