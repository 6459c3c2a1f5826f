import type { Random } from "../../harness/random.ts";

/** So many stories are told at once, each in its own order, as visitors come and go. */
const atOnce = 40;

/** One order of all steps in which each story keeps its own. */
export function interleave<Step>(random: Random, stories: Step[][]): Step[] {
  const coming = stories.values();
  const going: { steps: Step[]; told: number }[] = [];
  const all: Step[] = [];
  for (;;) {
    while (going.length < atOnce) {
      const next = coming.next();
      if (next.done) break;
      going.push({ steps: next.value, told: 0 });
    }
    if (going.length === 0) return all;
    const index = random.integer(0, going.length - 1);
    const story = going[index];
    const step = story?.steps[story.told++];
    if (step === undefined) going.splice(index, 1);
    else all.push(step);
  }
}
