import { change, isEmpty } from "./change.ts";
import { type Attributes, type Kept, nameOf, Refused, type Result, type World } from "./world.ts";

export interface Lead extends Kept {
  attributes: {
    contact: object;
    status: string;
    score: number;
    qualification: object;
    source: string | null;
  };
  /** Whether that was announced. */
  qualified: boolean;
  converted: boolean;
}

const nothingKnown = { name: null, email: null, phone: null, company: null };

/** Another score is two events; each of the milestones is one the first time. */
export function writeLead(world: World, id: string, given: Attributes<"lead">): Result {
  const { chatbot_external_id, ...state } = given;
  const chatbot_id = world.reference("chatbot", chatbot_external_id);
  const threshold = world.find("chatbot", chatbot_external_id)?.attributes.qualification_threshold ?? 0;
  const there = world.find("lead", id);
  if (!there) return create(world, id, chatbot_id, state, threshold);
  if (there.references["chatbot_id"] !== chatbot_id) throw new Refused("a lead stays with its chatbot");

  const { score, status: before } = there.attributes;
  const scored = state.score !== undefined && state.score !== score && state.score >= threshold;
  const qualifies = scored && before === "new" && (state.status ?? "new") === "new";
  const contact = { ...there.attributes.contact, ...state.contact };
  const status = qualifies ? "qualified" : state.status;
  const previous = change(there.attributes, { ...state, contact, status });
  if (isEmpty(previous)) return "unchanged";

  const milestones = reached(there);
  const dates = milestones.map((milestone) => [`${milestone}_at`, null]);
  const name = nameOf("lead", id);
  world.publish("lead.updated", name, there, { ...previous, ...Object.fromEntries(dates) });
  if ("score" in previous) world.publish("lead.score_changed", name, there, { score });
  for (const milestone of milestones) world.publish(`lead.${milestone}`, name, there);
  return "updated";
}

function create(
  world: World,
  id: string,
  chatbot_id: string,
  given: Omit<Attributes<"lead">, "chatbot_external_id">,
  threshold: number,
): Result {
  const { score = 0, status = "new", contact, qualification = {}, source = null } = given;
  const lead: Lead = {
    attributes: {
      contact: { ...nothingKnown, ...contact },
      status: status === "new" && score >= threshold ? "qualified" : status,
      score,
      qualification,
      source,
    },
    references: { chatbot_id },
    qualified: false,
    converted: false,
  };
  world.keep("lead", id, lead);
  const name = nameOf("lead", id);
  world.publish("lead.created", name, lead);
  for (const milestone of reached(lead)) world.publish(`lead.${milestone}`, name, lead);
  return "created";
}

/** The milestones at which the lead stands for the first time; marks them. */
function reached(lead: Lead): ("qualified" | "converted")[] {
  const all = ["qualified", "converted"] as const;
  const now = all.filter((milestone) => lead.attributes.status === milestone && !lead[milestone]);
  for (const milestone of now) lead[milestone] = true;
  return now;
}
