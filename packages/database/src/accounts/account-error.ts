/** What a rule about accounts speaks of. Pages show the words at the field, the command line at the argument. */
export type Field =
  | "name"
  | "redirectUri"
  | "organization"
  | "plan"
  | "email"
  | "password"
  | "secret"
  | "oldSecret";

export interface Problem {
  field: Field;
  /** One sentence for people, which says what would be right. */
  words: string;
}

/** A change that the rules do not allow. Nothing was changed. */
export class AccountError extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map(({ words }) => words).join(" "));
    this.problems = problems;
  }
}

/** What was to be changed does not exist (any longer). */
export class NoSuchAccount extends Error {
  constructor(kind: "client" | "organization" | "user" | "grant", name: string) {
    super(`There is no ${kind} ${name}.`);
  }
}

/** @throws AccountError unless there is no problem */
export function refuse(problems: (Problem | undefined)[]): void {
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new AccountError(found);
}
