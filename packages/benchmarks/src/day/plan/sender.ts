import { platformFolders } from "@parley/contract/testing";
import type { Random } from "../../harness/random.ts";
import type { Item, Model } from "../model/model.ts";
import { write } from "../model/write.ts";
import type { PlannedRequest } from "./request.ts";
import type { Step } from "./step.ts";

/** What becomes of a request's answer, where it does not simply arrive. */
const fates = ["lost", "missed later", "slow"] as const;
type Fate = (typeof fates)[number] | "arrives";

const largestBatch = 500;

/**
 * Cuts what one sender writes into requests: mostly single PUTs, but most items in batches. One answer in ten does not
 * arrive, so the request is sent again: at once, some requests later, or while the first one is still under way.
 */
export function planSender(random: Random, model: Model, steps: Step[]): PlannedRequest[] {
  const requests: PlannedRequest[] = [];
  const missed: { repeat: () => PlannedRequest; at: number }[] = [];
  for (let from = 0; from < steps.length; ) {
    const fate: Fate = random.chance(0.1) ? random.pick(fates) : "arrives";
    const put = isAddressable(steps[from]) && random.chance(0.87);
    const upTo = put ? 1 : random.integer(1, Math.min(largestBatch, Math.ceil(steps.length / 8)));
    const cut = steps.slice(from, from + upTo);
    const taken = fate === "slow" ? eachRecordOnce(cut) : cut;
    from += taken.length;

    const request = {
      put,
      items: taken.map(({ item }) => item),
      results: resultsOf(model, taken),
      twice: fate === "slow",
    };
    const repeat = () => ({ ...request, results: resultsOf(model, taken) });
    requests.push(request);
    if (fate === "lost") requests.push(repeat());
    if (fate === "missed later") missed.push({ repeat, at: requests.length + random.integer(1, 4) });
    while (missed[0] && missed[0].at <= requests.length) {
      requests.push(...missed.splice(0, 1).map((late) => late.repeat()));
    }
  }
  for (const late of missed) requests.push(late.repeat());
  return requests;
}

function resultsOf(model: Model, steps: Step[]): PlannedRequest["results"] {
  return steps.map(({ item, bad }) => (bad ? "failed" : write(model, item as Item)));
}

/** A malformed item has no place in an address. */
function isAddressable(step: Step | undefined): boolean {
  const { type, external_id: id = "" } = (step?.item ?? {}) as Partial<Item>;
  return type !== undefined && type in platformFolders && id.length > 0 && id.length <= 200;
}

/** The steps up to the first record that comes a second time, because two requests at once may write that in another order. */
function eachRecordOnce(steps: Step[]): Step[] {
  const seen = new Set<string>();
  const end = steps.findIndex(({ item }) => {
    const { type, external_id: id } = (item ?? {}) as Partial<Item>;
    const name = `${type}/${id}`;
    if (id !== undefined && seen.has(name)) return true;
    seen.add(name);
    return false;
  });
  return end === -1 ? steps : steps.slice(0, end);
}
