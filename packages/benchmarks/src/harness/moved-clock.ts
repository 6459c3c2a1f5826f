const RealDate = Date;
let aheadMs = 0;

/** What `Date` is once the clock was moved. */
class MovedDate extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + aheadMs);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

/** Sets this process's wall clock so far ahead of the machine's, or back. The monotonic clock goes on as ever. */
export function moveClock(ms: number): void {
  aheadMs = ms;
  globalThis.Date = MovedDate as DateConstructor;
}
