import { describe, expect, it } from "vitest";
import { Admission } from "./admission.ts";

const limits = { maxInFlight: 20, maxDelayMs: 100 };

/** Admits requests of an organization. Returns the number of admitted ones. */
function send(admission: Admission, organizationId: string, count: number): number {
  let admitted = 0;
  for (let i = 0; i < count; i += 1) if (admission.admit(organizationId)) admitted += 1;
  return admitted;
}

describe("Admission", () => {
  it("admits one organization up to the maximum", () => {
    expect(send(new Admission(limits), "a", 30)).toBe(20);
  });

  it("limits each organization to its share when a quarter of the maximum is in flight", () => {
    const admission = new Admission(limits);
    expect(send(admission, "b", 2)).toBe(2);
    expect(send(admission, "a", 30)).toBe(10); // 20 for 2 organizations.
    expect(send(admission, "c", 30)).toBe(6); // 20 for 3 organizations.
    expect(send(admission, "b", 30)).toBe(4);
  });

  it("admits organizations without requests in flight beyond the maximum, until the server is full", () => {
    const admission = new Admission(limits);
    send(admission, "a", 20);
    const others = Array.from({ length: 100 }, (_, i) => send(admission, `other ${i}`, 1));
    expect(others.filter((count) => count === 1)).toHaveLength(20);
    expect(admission.inFlight).toBe(40);
  });

  it("counts a request until it ends, once", () => {
    const admission = new Admission(limits);
    const end = admission.admit("a");
    send(admission, "a", 19);
    expect(send(admission, "a", 1)).toBe(0);
    end?.();
    end?.();
    expect(admission.inFlight).toBe(19);
    expect(send(admission, "a", 2)).toBe(1);
  });

  it("admits fewer while the event loop is delayed, and more again after it", () => {
    const admission = new Admission(limits);
    admission.adapt(101);
    expect(send(admission, "a", 30)).toBe(14);
    for (let i = 0; i < 20; i += 1) admission.adapt(500);
    expect(send(admission, "b", 30)).toBe(0); // Twice the lowest maximum are in flight.
    for (let i = 0; i < 20; i += 1) admission.adapt(0);
    expect(send(admission, "b", 30)).toBe(10);
  });

  it("admits everything without limits, and ignores the delay without its limit", () => {
    expect(send(new Admission({ maxInFlight: 0, maxDelayMs: 100 }), "a", 1_000)).toBe(1_000);
    const admission = new Admission({ maxInFlight: 20, maxDelayMs: 0 });
    admission.adapt(10_000);
    expect(send(admission, "a", 30)).toBe(20);
  });
});
