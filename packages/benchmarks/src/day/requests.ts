import { platformFolders } from "@parley/contract/testing";
import type { Random } from "../harness/random.ts";
import type { Item } from "./item.ts";
import type { Model, Result } from "./model.ts";

/** One item that the platform sends. */
export interface Step {
  item: unknown;
  /** Whether it must be refused whatever was written before. */
  refused: boolean;
}

/** One request of the platform, with the results that the model expects. */
export interface PlannedRequest {
  /** A PUT of one item instead of a batch. */
  put: boolean;
  items: unknown[];
  results: Result[];
  /** Whether it is sent a second time while the first one is in progress. */
  twice: boolean;
}

const largestBatch = 500;

export function planBatch(model: Model, items: Item[]): PlannedRequest {
  return { put: false, items, results: items.map((item) => model.write(item)), twice: false };
}

/**
 * Divides the steps of one sender into requests: mostly single PUTs, but most items in batches. One response in ten is lost, so
 * the request is sent again: immediately, some requests later, or while the first one is still in progress.
 */
export function planRequests(random: Random, model: Model, steps: Step[]): PlannedRequest[] {
  const requests: PlannedRequest[] = [];
  const delayed: { repeat: () => PlannedRequest; at: number }[] = [];
  for (let from = 0; from < steps.length; ) {
    const repetition = random.chance(0.1) ? random.pick(["at once", "later", "concurrent"] as const) : "none";
    const put = isAddressable(steps[from]) && random.chance(0.87);
    const length = put ? 1 : random.integer(1, Math.min(largestBatch, Math.ceil(steps.length / 8)));
    const cut = steps.slice(from, from + length);
    const taken = repetition === "concurrent" ? eachRecordOnce(cut) : cut;
    from += taken.length;

    const plan = (): PlannedRequest => ({
      put,
      items: taken.map(({ item }) => item),
      results: taken.map(({ item, refused }) => (refused ? "failed" : model.write(item as Item))),
      twice: repetition === "concurrent",
    });
    requests.push(plan());
    if (repetition === "at once") requests.push(plan());
    if (repetition === "later") delayed.push({ repeat: plan, at: requests.length + random.integer(1, 4) });
    while (delayed[0] && delayed[0].at <= requests.length) {
      requests.push(...delayed.splice(0, 1).map(({ repeat }) => repeat()));
    }
  }
  for (const { repeat } of delayed) requests.push(repeat());
  return requests;
}

/** A malformed item has no path. */
function isAddressable(step: Step | undefined): boolean {
  const { type, external_id: id = "" } = (step?.item ?? {}) as Partial<Item>;
  return type !== undefined && type in platformFolders && id.length > 0 && id.length <= 200;
}

/** Returns the steps up to the first repeated record: concurrent requests may write its states in another order. */
function eachRecordOnce(steps: Step[]): Step[] {
  const names = steps.map(({ item }) => {
    const { type, external_id: id } = (item ?? {}) as Partial<Item>;
    return `${type}/${id}`;
  });
  const end = names.findIndex((name, index) => names.indexOf(name) < index);
  return end === -1 ? steps : steps.slice(0, end);
}
