-- Whether the subscription is active, but its gap has more events than deliveries may be pending: new events join the gap, and a job fills it.
ALTER TABLE subscriptions ADD COLUMN filling_gap boolean NOT NULL DEFAULT false;
