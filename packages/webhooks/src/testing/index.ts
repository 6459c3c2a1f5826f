export {
  type DeliveryFixture,
  defaultPolicy,
  startDeliveryFixture,
  workerOptions,
} from "./delivery-fixture.ts";
export { createSubscriptionWithBacklog, leadCreated } from "./factories.ts";
export { holding, type Received, type Receiver, respondingWith, startReceiver } from "./receiver.ts";
export {
  advanceClock,
  attemptsReach,
  readSubscription,
  soon,
  subscriptionBecomes,
  watchNotifications,
} from "./waits.ts";
