/** Field with a problem. Pages show the problem next to the input, and the command line shows it with the argument. */
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
  /** Sentence that says what is wrong and what is accepted. */
  message: string;
}

/** Error of a change that was rejected because of invalid input. Nothing was changed. */
export class AccountError extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems.map(({ message }) => message).join(" "));
    this.problems = problems;
  }
}

/** Error of a change to an account that does not exist. */
export class AccountNotFoundError extends Error {
  readonly kind: "client" | "organization" | "user" | "grant";

  constructor(kind: AccountNotFoundError["kind"], name: string) {
    super(`No ${kind} ${name} exists.`);
    this.kind = kind;
  }
}

/** Throws an AccountError with all problems, if there are any. */
export function rejectProblems(problems: (Problem | undefined)[]): void {
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new AccountError(found);
}
