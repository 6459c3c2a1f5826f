-- Whether the subscription's owner lets it receive events. While it is false, nothing is sent, and events are skipped.
ALTER TABLE subscriptions ADD COLUMN enabled boolean NOT NULL DEFAULT true;

-- When skipped events of the subscription were last removed. A gap that began before is not complete. The default is for rows that exist now:
-- before this migration, skipped events were not stored.
ALTER TABLE subscriptions ADD COLUMN gap_broken_at timestamptz(3) DEFAULT now();
ALTER TABLE subscriptions ALTER COLUMN gap_broken_at DROP DEFAULT;

-- A gap begins when a subscription stops to receive events, for whatever reason.
CREATE FUNCTION parley_begin_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.gap_from := now();
  RETURN NEW;
END $$;

CREATE TRIGGER parley_begin_gap BEFORE INSERT OR UPDATE ON subscriptions FOR EACH ROW
  WHEN (NEW.gap_from IS NULL AND (NEW.status = 'failed' OR NOT NEW.enabled OR NEW.filling_gap))
  EXECUTE FUNCTION parley_begin_gap();

-- Events that matched a subscription and have no delivery, because it was failed, disabled or being filled. No foreign keys: a job removes
-- the rows of deleted subscriptions and of gaps that ended without being filled.
CREATE TABLE skipped_events (
  subscription_id uuid NOT NULL,
  gap_from        timestamptz(3) NOT NULL,
  sequence        bigint NOT NULL,
  event_id        uuid NOT NULL,
  CONSTRAINT skipped_events_pkey PRIMARY KEY (subscription_id, gap_from, sequence)
) WITH (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);

-- Requests to redeliver a range. A job searches the delivery log from `searched_at` on and creates the deliveries.
CREATE TABLE redeliveries (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  status          text NOT NULL CHECK (status IN ('exhausted', 'delivered')),
  event_type      text CHECK (event_type <> ''),
  since           timestamptz(3) NOT NULL,
  until           timestamptz(3) NOT NULL,
  searched_at     timestamptz(3) NOT NULL,
  searched_id     uuid NOT NULL,
  deliveries      integer NOT NULL DEFAULT 0 CHECK (deliveries >= 0),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  finished_at     timestamptz(3),
  CONSTRAINT redeliveries_pkey PRIMARY KEY (id),
  CONSTRAINT redeliveries_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT redeliveries_subscription_id_fkey FOREIGN KEY (subscription_id)
    REFERENCES subscriptions (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX redeliveries_organization_id_idx ON redeliveries (organization_id);
CREATE INDEX redeliveries_subscription_id_id_idx ON redeliveries (subscription_id, id);
CREATE INDEX redeliveries_open_idx ON redeliveries (subscription_id) WHERE finished_at IS NULL;
