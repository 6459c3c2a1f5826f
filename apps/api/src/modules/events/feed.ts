import { type Database, startListener } from "@parley/database";
import { eventsChannel, FeedWaiters, parseEventsNotification } from "@parley/webhooks";
import type { FastifyInstance } from "fastify";

/**
 * Creates the waiters of the event feed, which notifications of the database wake. They are answered when the server starts closing, so
 * this must be called before hooks that wait for open requests.
 */
export function createFeedWaiters(app: FastifyInstance, db: Database, directUrl: string): FeedWaiters {
  const waiters = new FeedWaiters(db, app.log);
  const listener = startListener(directUrl, eventsChannel, {
    opened: () => waiters.notified("all"), // Notifications may have been missed.
    lost: (error) =>
      app.log.warn({ err: error }, "event feed polls until the database connection is restored"),
    notified(payload) {
      try {
        waiters.notified(parseEventsNotification(payload));
      } catch {
        app.log.warn({ channel: eventsChannel }, "malformed notification ignored");
      }
    },
  });
  app.addHook("preClose", async () => waiters.end());
  app.addHook("onClose", () => listener.stop());
  return waiters;
}
