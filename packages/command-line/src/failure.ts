/** Error whose message is printed and says what to do. */
export class Failure extends Error {
  /** 1 for a failure, 2 for invalid arguments. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
