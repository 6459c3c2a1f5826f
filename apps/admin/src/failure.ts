/** A failure whose message says what to do. */
export class Failure extends Error {
  /** 1 failed, 2 not understood or refused. */
  readonly exitCode: 1 | 2;

  constructor(words: string, exitCode: 1 | 2 = 1) {
    super(words);
    this.exitCode = exitCode;
  }
}
