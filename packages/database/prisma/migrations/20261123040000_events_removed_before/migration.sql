-- Events of the organization before this time may be removed, in addition to those before event_retention.removed_before. Null: none.
ALTER TABLE organizations ADD COLUMN events_removed_before timestamptz(3);
