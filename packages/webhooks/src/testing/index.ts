export {
  type DeliveryFixture,
  defaultPolicy,
  useDeliveryFixture,
  workerOptions,
} from "./delivery-fixture.ts";
export { createSkippedEvents, createSubscriptionWithBacklog, leadCreated } from "./factories.ts";
export { holding, type Received, type Receiver, respondingWith, startReceiver } from "./receiver.ts";
export {
  advanceClock,
  attemptsReach,
  countingQueries,
  readSubscription,
  soon,
  subscriptionBecomes,
  watchNotifications,
} from "./waits.ts";
