-- Requests to erase the data of a person.

CREATE TABLE erasures (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  subject_type    text NOT NULL CHECK (subject_type IN ('email', 'external_id')),
  subject         text CHECK (subject <> ''),
  subject_hash    bytea,
  emails          text[] NOT NULL DEFAULT '{}',
  status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed')),
  report          jsonb NOT NULL DEFAULT '{}',
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  completed_at    timestamptz(3),
  CONSTRAINT erasures_completed_check CHECK (
    CASE status WHEN 'completed' THEN subject IS NULL AND emails = '{}' AND completed_at IS NOT NULL
    ELSE subject IS NOT NULL AND completed_at IS NULL END),
  CONSTRAINT erasures_pkey PRIMARY KEY (id),
  CONSTRAINT erasures_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- A completed erasure has no subject, so this finds only the one that is not completed.
CREATE UNIQUE INDEX erasures_organization_id_subject_type_subject_key ON erasures (organization_id, subject_type, subject);
CREATE INDEX erasures_open_idx ON erasures (id) WHERE status <> 'completed';

CREATE TABLE erased_ids (
  erasure_id uuid NOT NULL,
  id         uuid NOT NULL,
  is_event   boolean NOT NULL,
  CONSTRAINT erased_ids_pkey PRIMARY KEY (erasure_id, id),
  CONSTRAINT erased_ids_erasure_id_fkey FOREIGN KEY (erasure_id)
    REFERENCES erasures (id) ON DELETE CASCADE ON UPDATE CASCADE
);
