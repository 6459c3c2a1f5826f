import type { Random } from "../../harness/random.ts";

const first = ["Ada", "Ben", "Chloé", "Dmitri", "Eve", "Fatima", "Grace", "Hiro", "Ines", "Jürgen", "Zoë 🦊"];
const last = ["Novak", "Okafor", "O'Brien", "Müller & Söhne", "Nguyễn", "López", "de Vries", "<b>Bold</b>"];
const questions = [
  "What does the large plan cost?",
  "My invoice shows the wrong address.",
  "Do you deliver to Réunion?",
  "I have asked this three times now!",
  'It says "unknown error" \\ and nothing else.',
  "Merci, das hilft mir sehr 👍",
];
const answers = [
  "Let me look that up.",
  "It is 49 € a month, and you may cancel at any time.",
  "I have told a colleague, who will write to you today.",
];

export function person(random: Random): { name: string; email: string } {
  const name = `${random.pick(first)} ${random.pick(last)}`;
  return { name, email: `visitor.${random.integer(1, 99_999)}@example.com` };
}

/** Now and then a long one. */
export function text(random: Random, role: string): string {
  const words = random.pick(role === "visitor" ? questions : answers);
  return random.chance(0.005) ? `${words}\n`.repeat(100) : words;
}
