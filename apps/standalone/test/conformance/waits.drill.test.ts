import { afterAll, expect, test, vi } from "vitest";
import {
  closeReceivers,
  deliveryAbout,
  header,
  lead,
  newReceiver,
  parse,
  soon,
  subscribe,
} from "./receiving.ts";
import { useAccount } from "./service.ts";

// What takes seconds with the default configuration: the timeout of an attempt, and reminders of meetings.

const { account } = useAccount();
afterAll(closeReceivers);

interface Delivery {
  id: string;
  attributes: { attempts: { duration_ms: number }[] };
}

test("an attempt fails if the receiver does not respond within 10 seconds", async () => {
  const subscription = await subscribe(account, await newReceiver(() => {}));
  await account.write(lead("waiting"));
  const deliveries = `/api/v1/webhooks/${subscription.id}/deliveries`;
  const [delivery] = (await account.call<Delivery[]>("GET", deliveries)).body.data;
  const [attempt] = await vi.waitFor(async () => {
    const { attempts } = (await account.call<Delivery>("GET", `${deliveries}/${delivery?.id}`)).body.data
      .attributes;
    expect(attempts).toMatchObject([{ number: 1, status_code: null, error: expect.stringMatching(/\w/) }]);
    return attempts;
  }, soon);
  expect(attempt?.duration_ms).toBeGreaterThanOrEqual(9_900);
  expect(attempt?.duration_ms).toBeLessThan(30_000);
  const { body } = await account.call("GET", `/api/v1/webhooks/${subscription.id}`);
  expect(body.data).toMatchObject({ status: "active", failure_reason: expect.any(String) });
});

test("meeting.reminder arrives before a meeting that starts within 60 minutes", async () => {
  const receiver = await newReceiver();
  await subscribe(account, receiver, { event_types: ["meeting.reminder"] });
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const times = { starts_at: inMinutes(30), ends_at: inMinutes(60), timezone: "Europe/Vienna" };
  const [id] = await account.write(["meeting", "soon", { title: "Demo", ...times }]);
  const received = await deliveryAbout(receiver, id); // The worker looks for such meetings every 15 seconds.
  expect(header(received, "x-parley-event")).toBe("meeting.reminder");
  expect(parse(received).data).toMatchObject({ type: "meeting", attributes: { status: "scheduled" } });
});
