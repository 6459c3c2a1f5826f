-- The schema of Parley's first release. schema.prisma describes what each table and column is for; this file adds what
-- Prisma cannot express: check constraints, triggers, functions, partitions, storage parameters and partial indexes.
-- The order is that of schema.prisma. A table comes with its indexes, and is followed by the functions that serve it.
--
-- Values: a status has the words of the contract (openapi/); a test compares them.
-- References: a record that needs a chatbot refers to it together with its organization, so it cannot belong to another
-- organization's. Optional references name the id only: SET NULL would empty organization_id too. A test lists the references
-- without a foreign key, and why.

-- Part of PostgreSQL, and trusted: the owner of the database may create them. They index the texts that lists are searched for.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Accounts ------------------------------------------------------------------------------------------------------------

CREATE TABLE organizations (
  id                  uuid NOT NULL DEFAULT uuidv7(),
  name                text NOT NULL CHECK (name <> ''),
  plan                text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'starter', 'pro', 'business')),
  created_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  deletion_started_at timestamptz(3),
  CONSTRAINT organizations_pkey PRIMARY KEY (id)
);

CREATE TABLE users (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  email           text NOT NULL CHECK (email <> ''),
  name            text NOT NULL CHECK (name <> ''),
  password_hash   text NOT NULL CHECK (password_hash <> ''),
  role            text NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'admin')),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE INDEX users_organization_id_idx ON users (organization_id);

-- A session belongs to a user or, after a console link was opened, to a person of the platform.
CREATE TABLE user_sessions (
  token_hash      bytea NOT NULL,
  user_id         uuid,
  organization_id uuid,
  role            text CHECK (role IN ('member', 'admin')),
  name            text CHECK (name <> ''),
  external_id     text CHECK (external_id <> ''),
  message         bytea,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at      timestamptz(3) NOT NULL,
  CONSTRAINT user_sessions_pkey PRIMARY KEY (token_hash),
  CONSTRAINT user_sessions_person_check CHECK (
    CASE WHEN user_id IS NOT NULL THEN num_nonnulls(organization_id, role, name, external_id) = 0
    ELSE num_nulls(organization_id, role, name) = 0 END),
  CONSTRAINT user_sessions_user_id_fkey FOREIGN KEY (user_id)
    REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT user_sessions_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX user_sessions_user_id_idx ON user_sessions (user_id);
CREATE INDEX user_sessions_organization_id_idx ON user_sessions (organization_id);

CREATE TABLE console_links (
  token_hash      bytea NOT NULL,
  organization_id uuid NOT NULL,
  role            text NOT NULL CHECK (role IN ('member', 'admin')),
  name            text NOT NULL CHECK (name <> ''),
  external_id     text CHECK (external_id <> ''),
  return_to       text NOT NULL CHECK (return_to <> ''),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at      timestamptz(3) NOT NULL,
  used_at         timestamptz(3),
  CONSTRAINT console_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT console_links_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX console_links_organization_id_idx ON console_links (organization_id);

-- OAuth 2.0 -----------------------------------------------------------------------------------------------------------

CREATE TABLE oauth_clients (
  id              text NOT NULL CHECK (id <> ''),
  organization_id uuid,
  name            text NOT NULL CHECK (name <> ''),
  redirect_uris   text[] NOT NULL DEFAULT '{}',
  is_public       boolean NOT NULL DEFAULT false,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT oauth_clients_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_clients_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX oauth_clients_organization_id_idx ON oauth_clients (organization_id);

-- The command line for developers (packages/cli). It is a public client that listens on any port of the loopback interface.
INSERT INTO oauth_clients (id, name, redirect_uris, is_public)
VALUES ('parley-cli', 'Parley CLI', '{http://127.0.0.1/callback}', true);

CREATE TABLE oauth_client_secrets (
  secret_hash bytea NOT NULL,
  client_id   text NOT NULL,
  hint        text NOT NULL DEFAULT '',
  created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at  timestamptz(3),
  CONSTRAINT oauth_client_secrets_pkey PRIMARY KEY (secret_hash),
  CONSTRAINT oauth_client_secrets_client_id_fkey FOREIGN KEY (client_id)
    REFERENCES oauth_clients (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX oauth_client_secrets_client_id_idx ON oauth_client_secrets (client_id);

CREATE TABLE oauth_grants (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  user_id         uuid NOT NULL,
  client_id       text NOT NULL,
  scopes          text[] NOT NULL DEFAULT '{}',
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at    timestamptz(3),
  revoked_at      timestamptz(3),
  CONSTRAINT oauth_grants_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_grants_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id)
    REFERENCES users (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT oauth_grants_client_id_fkey FOREIGN KEY (client_id)
    REFERENCES oauth_clients (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX oauth_grants_organization_id_idx ON oauth_grants (organization_id);
CREATE INDEX oauth_grants_user_id_idx ON oauth_grants (user_id);
CREATE INDEX oauth_grants_client_id_idx ON oauth_grants (client_id);

CREATE TABLE oauth_authorization_codes (
  code_hash      bytea NOT NULL,
  grant_id       uuid NOT NULL,
  redirect_uri   text NOT NULL CHECK (redirect_uri <> ''),
  code_challenge text,
  created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at     timestamptz(3) NOT NULL,
  used_at        timestamptz(3),
  CONSTRAINT oauth_authorization_codes_pkey PRIMARY KEY (code_hash),
  CONSTRAINT oauth_authorization_codes_grant_id_fkey FOREIGN KEY (grant_id)
    REFERENCES oauth_grants (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX oauth_authorization_codes_grant_id_idx ON oauth_authorization_codes (grant_id);

CREATE TABLE oauth_tokens (
  token_hash bytea NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('access', 'refresh')),
  grant_id   uuid NOT NULL,
  scopes     text[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamptz(3) NOT NULL,
  rotated_at timestamptz(3),
  exchanges  integer NOT NULL DEFAULT 0 CHECK (exchanges >= 0),
  CONSTRAINT oauth_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT oauth_tokens_grant_id_fkey FOREIGN KEY (grant_id)
    REFERENCES oauth_grants (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX oauth_tokens_grant_id_idx ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_expires_at_idx ON oauth_tokens (expires_at);

CREATE TABLE audit_log (
  id              uuid NOT NULL DEFAULT uuidv7(),
  event           text NOT NULL CHECK (event <> ''),
  organization_id uuid,
  user_id         uuid,
  client_id       text,
  grant_id        uuid,
  address         text,
  details         jsonb NOT NULL DEFAULT '{}',
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_organization_id_id_idx ON audit_log (organization_id, id);
-- Sign-in looks up whether a user came from a network before.
CREATE INDEX audit_log_sign_ins_idx ON audit_log (user_id, (details ->> 'network')) WHERE event = 'user.signed_in';

-- Invalidation of cached access tokens --------------------------------------------------------------------------------
-- API processes cache what an access token stands for. These triggers notify them, at commit, when that changes. The
-- payload names what changed: `token <SHA-256 in hex>`, `grant <id>`, `user <id>`, `client <id>`, `organization <id>` or
-- `everything`. A refresh, the use of a token and the removal of expired tokens notify no one.

CREATE FUNCTION notify_token_cache() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('parley_token_cache', TG_ARGV[0] || ' ' || ltrim(to_jsonb(OLD) ->> TG_ARGV[1], '\x'));
  RETURN NULL;
END;
$$;

CREATE TRIGGER organizations_changed AFTER UPDATE OF name, plan, deletion_started_at ON organizations
  FOR EACH ROW WHEN ((OLD.name, OLD.plan, OLD.deletion_started_at)
    IS DISTINCT FROM (NEW.name, NEW.plan, NEW.deletion_started_at))
  EXECUTE FUNCTION notify_token_cache('organization', 'id');

CREATE TRIGGER oauth_tokens_changed AFTER UPDATE OF grant_id, kind, scopes, expires_at ON oauth_tokens
  FOR EACH ROW WHEN (OLD.kind = 'access' AND (OLD.grant_id, OLD.kind, OLD.scopes, OLD.expires_at)
    IS DISTINCT FROM (NEW.grant_id, NEW.kind, NEW.scopes, NEW.expires_at))
  EXECUTE FUNCTION notify_token_cache('token', 'token_hash');

-- A token that is deleted with its grant, or after it, was announced with the grant.
CREATE FUNCTION notify_token_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM oauth_grants WHERE id = OLD.grant_id AND revoked_at IS NULL) THEN
    PERFORM pg_notify('parley_token_cache', 'token ' || encode(OLD.token_hash, 'hex'));
  END IF;
  RETURN NULL;
END;
$$;

CREATE TRIGGER oauth_tokens_deleted AFTER DELETE ON oauth_tokens
  FOR EACH ROW WHEN (OLD.kind = 'access' AND OLD.expires_at > now())
  EXECUTE FUNCTION notify_token_deleted();

-- A statement that ends many grants sends one notification: the narrowest thing that they have in common.
CREATE FUNCTION notify_grants_ended(grants uuid[], users uuid[], clients text[], organizations uuid[])
RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('parley_token_cache', CASE
    WHEN cardinality(grants) = 1 THEN 'grant ' || grants[1]
    WHEN cardinality(users) = 1 THEN 'user ' || users[1]
    WHEN cardinality(clients) = 1 THEN 'client ' || clients[1]
    WHEN cardinality(organizations) = 1 THEN 'organization ' || organizations[1]
    ELSE 'everything' END)
  WHERE grants IS NOT NULL;
$$;

-- The payload comes from the old rows, since that is what the caches hold.
CREATE FUNCTION notify_grants_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_grants_ended(array_agg(b.id), array_agg(DISTINCT b.user_id), array_agg(DISTINCT b.client_id),
    array_agg(DISTINCT b.organization_id))
  FROM before b JOIN after a USING (id)
  WHERE (b.revoked_at, b.organization_id, b.user_id, b.client_id)
    IS DISTINCT FROM (a.revoked_at, a.organization_id, a.user_id, a.client_id);
  RETURN NULL;
END;
$$;

CREATE TRIGGER oauth_grants_changed AFTER UPDATE ON oauth_grants
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION notify_grants_changed();

-- Also runs when the grants are deleted with their organization, user or client.
CREATE FUNCTION notify_grants_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_grants_ended(array_agg(id), array_agg(DISTINCT user_id), array_agg(DISTINCT client_id),
    array_agg(DISTINCT organization_id))
  FROM before WHERE revoked_at IS NULL;
  RETURN NULL;
END;
$$;

CREATE TRIGGER oauth_grants_deleted AFTER DELETE ON oauth_grants
  REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION notify_grants_deleted();

-- Resources -----------------------------------------------------------------------------------------------------------

CREATE TABLE chatbots (
  id                      uuid NOT NULL DEFAULT uuidv7(),
  organization_id         uuid NOT NULL,
  external_id             text CHECK (external_id <> ''),
  name                    text NOT NULL CHECK (name <> ''),
  description             text NOT NULL DEFAULT '',
  model                   text NOT NULL CHECK (model <> ''),
  status                  text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive', 'training')),
  qualification_threshold smallint NOT NULL DEFAULT 70 CHECK (qualification_threshold BETWEEN 0 AND 100),
  created_at              timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at              timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT chatbots_pkey PRIMARY KEY (id),
  CONSTRAINT chatbots_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX chatbots_organization_id_id_key ON chatbots (organization_id, id);
CREATE UNIQUE INDEX chatbots_organization_id_external_id_key ON chatbots (organization_id, external_id);
CREATE INDEX chatbots_organization_id_updated_at_id_idx ON chatbots (organization_id, updated_at DESC, id DESC);
CREATE INDEX chatbots_organization_id_created_at_id_idx ON chatbots (organization_id, created_at DESC, id DESC);

CREATE TABLE leads (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text CHECK (external_id <> ''),
  chatbot_id      uuid NOT NULL,
  contact_name    text,
  contact_email   text,
  contact_phone   text,
  contact_company text,
  status          text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'qualified', 'converted', 'disqualified')),
  score           smallint NOT NULL DEFAULT 0 CHECK (score BETWEEN 0 AND 100),
  qualification   jsonb NOT NULL DEFAULT '{}',
  source          text,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  qualified_at    timestamptz(3),
  converted_at    timestamptz(3),
  CONSTRAINT leads_pkey PRIMARY KEY (id),
  CONSTRAINT leads_organization_id_chatbot_id_fkey FOREIGN KEY (organization_id, chatbot_id)
    REFERENCES chatbots (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX leads_organization_id_external_id_key ON leads (organization_id, external_id);
CREATE INDEX leads_organization_id_updated_at_id_idx ON leads (organization_id, updated_at DESC, id DESC);
CREATE INDEX leads_organization_id_chatbot_id_updated_at_id_idx
  ON leads (organization_id, chatbot_id, updated_at DESC, id DESC);
CREATE INDEX leads_organization_id_status_updated_at_id_idx
  ON leads (organization_id, status, updated_at DESC, id DESC);
CREATE INDEX leads_organization_id_created_at_id_idx ON leads (organization_id, created_at DESC, id DESC);
CREATE INDEX leads_email_idx ON leads (organization_id, lower(contact_email)) WHERE contact_email IS NOT NULL;
CREATE INDEX leads_phone_idx ON leads (organization_id, regexp_replace(contact_phone, '[^0-9]', '', 'g')) WHERE contact_phone IS NOT NULL;
CREATE INDEX leads_search_idx ON leads
  USING gin (organization_id, lower(coalesce(contact_name, '') || ' ' || coalesce(contact_email, '')) gin_trgm_ops);

CREATE TABLE conversations (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text CHECK (external_id <> ''),
  chatbot_id      uuid NOT NULL,
  lead_id         uuid,
  status          text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'ended')),
  channel         text NOT NULL DEFAULT 'web' CHECK (channel <> ''),
  visitor_name    text,
  visitor_email   text,
  sentiment       text CHECK (sentiment IN ('positive', 'neutral', 'negative')),
  message_count   integer NOT NULL DEFAULT 0 CHECK (message_count >= 0),
  started_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at        timestamptz(3),
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT conversations_pkey PRIMARY KEY (id),
  CONSTRAINT conversations_organization_id_chatbot_id_fkey FOREIGN KEY (organization_id, chatbot_id)
    REFERENCES chatbots (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT conversations_lead_id_fkey FOREIGN KEY (lead_id)
    REFERENCES leads (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX conversations_id_chatbot_id_key ON conversations (id, chatbot_id);
CREATE UNIQUE INDEX conversations_organization_id_external_id_key ON conversations (organization_id, external_id);
CREATE INDEX conversations_organization_id_updated_at_id_idx
  ON conversations (organization_id, updated_at DESC, id DESC);
CREATE INDEX conversations_organization_id_chatbot_id_updated_at_id_idx
  ON conversations (organization_id, chatbot_id, updated_at DESC, id DESC);
CREATE INDEX conversations_organization_id_status_updated_at_id_idx
  ON conversations (organization_id, status, updated_at DESC, id DESC);
CREATE INDEX conversations_organization_id_started_at_id_idx ON conversations (organization_id, started_at DESC, id DESC);
CREATE INDEX conversations_email_idx ON conversations (organization_id, lower(visitor_email)) WHERE visitor_email IS NOT NULL;
CREATE INDEX conversations_search_idx ON conversations
  USING gin (organization_id, lower(coalesce(visitor_name, '') || ' ' || coalesce(visitor_email, '')) gin_trgm_ops);
CREATE INDEX conversations_lead_id_idx ON conversations (lead_id) WHERE lead_id IS NOT NULL;

CREATE TABLE messages (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text CHECK (external_id <> ''),
  conversation_id uuid NOT NULL,
  chatbot_id      uuid NOT NULL,
  role            text NOT NULL CHECK (role IN ('visitor', 'chatbot', 'agent')),
  text            text NOT NULL CHECK (text <> ''),
  sentiment       text CHECK (sentiment IN ('positive', 'neutral', 'negative')),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT messages_pkey PRIMARY KEY (id),
  -- Without organization_id: a plan that was made while the table was small would search all of the organization's rows.
  CONSTRAINT messages_conversation_id_chatbot_id_fkey FOREIGN KEY (conversation_id, chatbot_id)
    REFERENCES conversations (id, chatbot_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX messages_organization_id_external_id_key ON messages (organization_id, external_id);
CREATE INDEX messages_conversation_id_created_at_id_idx ON messages (conversation_id, created_at, id);

CREATE TABLE message_feedback (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text NOT NULL CHECK (external_id <> ''),
  message_id      uuid NOT NULL,
  conversation_id uuid NOT NULL,
  chatbot_id      uuid NOT NULL,
  rating          text NOT NULL CHECK (rating IN ('positive', 'negative')),
  comment         text,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT message_feedback_pkey PRIMARY KEY (id),
  CONSTRAINT message_feedback_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT message_feedback_message_id_fkey FOREIGN KEY (message_id)
    REFERENCES messages (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT message_feedback_conversation_id_chatbot_id_fkey FOREIGN KEY (conversation_id, chatbot_id)
    REFERENCES conversations (id, chatbot_id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX message_feedback_organization_id_external_id_key
  ON message_feedback (organization_id, external_id);
CREATE INDEX message_feedback_message_id_idx ON message_feedback (message_id);
CREATE INDEX message_feedback_conversation_id_idx ON message_feedback (conversation_id);

CREATE TABLE tickets (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text CHECK (external_id <> ''),
  chatbot_id      uuid,
  lead_id         uuid,
  conversation_id uuid,
  subject         text NOT NULL CHECK (subject <> ''),
  description     text NOT NULL DEFAULT '',
  status          text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'pending', 'resolved', 'closed')),
  priority        text NOT NULL DEFAULT 'normal' CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
  requester_name  text,
  requester_email text,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  resolved_at     timestamptz(3),
  CONSTRAINT tickets_pkey PRIMARY KEY (id),
  CONSTRAINT tickets_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT tickets_chatbot_id_fkey FOREIGN KEY (chatbot_id)
    REFERENCES chatbots (id) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT tickets_lead_id_fkey FOREIGN KEY (lead_id)
    REFERENCES leads (id) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT tickets_conversation_id_fkey FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX tickets_organization_id_external_id_key ON tickets (organization_id, external_id);
CREATE INDEX tickets_organization_id_updated_at_id_idx ON tickets (organization_id, updated_at DESC, id DESC);
CREATE INDEX tickets_organization_id_status_updated_at_id_idx
  ON tickets (organization_id, status, updated_at DESC, id DESC);
CREATE INDEX tickets_chatbot_id_updated_at_id_idx ON tickets (chatbot_id, updated_at DESC, id DESC);
CREATE INDEX tickets_organization_id_created_at_id_idx ON tickets (organization_id, created_at DESC, id DESC);
CREATE INDEX tickets_email_idx ON tickets (organization_id, lower(requester_email)) WHERE requester_email IS NOT NULL;
CREATE INDEX tickets_search_idx ON tickets
  USING gin (organization_id, lower(subject || ' ' || coalesce(requester_name, '') || ' ' || coalesce(requester_email, '')) gin_trgm_ops);
-- Most tickets have neither, and cost nothing here.
CREATE INDEX tickets_lead_id_idx ON tickets (lead_id) WHERE lead_id IS NOT NULL;
CREATE INDEX tickets_conversation_id_idx ON tickets (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE meetings (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text CHECK (external_id <> ''),
  chatbot_id      uuid,
  lead_id         uuid,
  title           text NOT NULL CHECK (title <> ''),
  status          text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'cancelled', 'completed')),
  starts_at       timestamptz(3) NOT NULL,
  ends_at         timestamptz(3) NOT NULL,
  timezone        text NOT NULL CHECK (timezone <> ''),
  location        text,
  attendees       jsonb NOT NULL DEFAULT '[]',
  reminded_for    timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT meetings_ends_at_check CHECK (ends_at >= starts_at),
  CONSTRAINT meetings_pkey PRIMARY KEY (id),
  CONSTRAINT meetings_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT meetings_chatbot_id_fkey FOREIGN KEY (chatbot_id)
    REFERENCES chatbots (id) ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT meetings_lead_id_fkey FOREIGN KEY (lead_id)
    REFERENCES leads (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX meetings_organization_id_external_id_key ON meetings (organization_id, external_id);
CREATE INDEX meetings_organization_id_updated_at_id_idx ON meetings (organization_id, updated_at DESC, id DESC);
CREATE INDEX meetings_organization_id_status_updated_at_id_idx
  ON meetings (organization_id, status, updated_at DESC, id DESC);
CREATE INDEX meetings_chatbot_id_updated_at_id_idx ON meetings (chatbot_id, updated_at DESC, id DESC);
CREATE INDEX meetings_organization_id_created_at_id_idx ON meetings (organization_id, created_at DESC, id DESC);
CREATE INDEX meetings_search_idx ON meetings
  USING gin (organization_id, lower(title || ' ' || jsonb_path_query_array(attendees, '$[*].* ? (@ != null)')::text) gin_trgm_ops);
CREATE INDEX meetings_lead_id_idx ON meetings (lead_id) WHERE lead_id IS NOT NULL;
CREATE INDEX meetings_starts_at_idx ON meetings (starts_at);

-- Numbers of records, for the totals of lists ---------------------------------------------------------------------------
-- A total is the sum of `record_counts` and `record_count_changes` in one snapshot. Triggers append changes, so that writers
-- never wait for each other; `fold_record_counts` adds them to the counts. The nil UUID stands for records without a chatbot.

CREATE TABLE record_counts (
  organization_id uuid NOT NULL,
  kind            text NOT NULL,
  chatbot_id      uuid NOT NULL,
  status          text NOT NULL,
  count           bigint NOT NULL,
  CONSTRAINT record_counts_pkey PRIMARY KEY (organization_id, kind, chatbot_id, status)
);

CREATE TABLE record_count_changes (
  id              bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  organization_id uuid NOT NULL,
  kind            text NOT NULL,
  chatbot_id      uuid NOT NULL,
  status          text NOT NULL,
  change          bigint NOT NULL,
  CONSTRAINT record_count_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX record_count_changes_organization_id_kind_idx ON record_count_changes (organization_id, kind);

-- The number of records of each kind, organization, chatbot and status, by the tables themselves.
CREATE VIEW counted_records AS
  SELECT organization_id, 'chatbots' AS kind, '00000000-0000-0000-0000-000000000000'::uuid AS chatbot_id, status, count(*) AS count
  FROM chatbots GROUP BY organization_id, status
  UNION ALL SELECT organization_id, 'leads', chatbot_id, status, count(*) FROM leads GROUP BY organization_id, chatbot_id, status
  UNION ALL SELECT organization_id, 'conversations', chatbot_id, status, count(*)
  FROM conversations GROUP BY organization_id, chatbot_id, status
  UNION ALL SELECT organization_id, 'tickets', coalesce(chatbot_id, '00000000-0000-0000-0000-000000000000'), status, count(*)
  FROM tickets GROUP BY organization_id, chatbot_id, status
  UNION ALL SELECT organization_id, 'meetings', coalesce(chatbot_id, '00000000-0000-0000-0000-000000000000'), status, count(*)
  FROM meetings GROUP BY organization_id, chatbot_id, status;

-- Creates the function that counts the records of a table, and its triggers. `chatbot` is the expression of `chatbot_id`.
DO $do$
DECLARE
  kind text;
  chatbot text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['chatbots', 'leads', 'conversations', 'tickets', 'meetings'] LOOP
    chatbot := CASE kind WHEN 'chatbots' THEN quote_literal('00000000-0000-0000-0000-000000000000') || '::uuid'
      ELSE 'coalesce(chatbot_id, ' || quote_literal('00000000-0000-0000-0000-000000000000') || '::uuid)' END;
    EXECUTE format($create$
      CREATE FUNCTION count_%1$s() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          INSERT INTO record_count_changes (organization_id, kind, chatbot_id, status, change)
          SELECT organization_id, '%1$s', %2$s, status, count(*) FROM new_rows GROUP BY 1, 3, 4;
        ELSIF TG_OP = 'DELETE' THEN
          INSERT INTO record_count_changes (organization_id, kind, chatbot_id, status, change)
          SELECT organization_id, '%1$s', %2$s, status, -count(*) FROM old_rows GROUP BY 1, 3, 4;
        ELSIF TG_OP = 'UPDATE' THEN
          INSERT INTO record_count_changes (organization_id, kind, chatbot_id, status, change)
          SELECT organization_id, '%1$s', chatbot, status, sum(change)
          FROM (SELECT organization_id, %2$s AS chatbot, status, 1 AS change FROM new_rows
                UNION ALL SELECT organization_id, %2$s, status, -1 FROM old_rows) AS changes
          GROUP BY 1, 3, 4 HAVING sum(change) <> 0;
        ELSE
          DELETE FROM record_counts WHERE record_counts.kind = '%1$s';
          DELETE FROM record_count_changes WHERE record_count_changes.kind = '%1$s';
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER count_inserted AFTER INSERT ON %1$s REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
      CREATE TRIGGER count_updated AFTER UPDATE ON %1$s REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
      CREATE TRIGGER count_deleted AFTER DELETE ON %1$s REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
      CREATE TRIGGER count_truncated AFTER TRUNCATE ON %1$s FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
    $create$, kind, chatbot);
  END LOOP;
END $do$;

-- Adds up to `most` changes to the counts, oldest first; returns how many. Does nothing while another process does it.
CREATE FUNCTION fold_record_counts(most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('fold_record_counts')) THEN
    RETURN 0;
  END IF;
  WITH moved AS (
    DELETE FROM record_count_changes WHERE id IN (SELECT id FROM record_count_changes ORDER BY id LIMIT most)
    RETURNING organization_id, kind, chatbot_id, status, change
  ), added AS (
    INSERT INTO record_counts (organization_id, kind, chatbot_id, status, count)
    SELECT organization_id, kind, chatbot_id, status, sum(change) FROM moved GROUP BY organization_id, kind, chatbot_id, status
    ON CONFLICT (organization_id, kind, chatbot_id, status) DO UPDATE SET count = record_counts.count + EXCLUDED.count
  )
  SELECT count(*) INTO folded FROM moved;
  RETURN folded;
END $$;

CREATE TABLE tool_runs (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text NOT NULL CHECK (external_id <> ''),
  chatbot_id      uuid NOT NULL,
  conversation_id uuid,
  tool            text NOT NULL CHECK (tool <> ''),
  status          text NOT NULL CHECK (status IN ('executed', 'failed')),
  error           text,
  duration_ms     integer NOT NULL CHECK (duration_ms >= 0),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT tool_runs_pkey PRIMARY KEY (id),
  CONSTRAINT tool_runs_organization_id_chatbot_id_fkey FOREIGN KEY (organization_id, chatbot_id)
    REFERENCES chatbots (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT tool_runs_conversation_id_fkey FOREIGN KEY (conversation_id)
    REFERENCES conversations (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX tool_runs_organization_id_external_id_key ON tool_runs (organization_id, external_id);
CREATE INDEX tool_runs_chatbot_id_idx ON tool_runs (chatbot_id);
CREATE INDEX tool_runs_conversation_id_idx ON tool_runs (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE usage_records (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  external_id     text NOT NULL CHECK (external_id <> ''),
  metric          text NOT NULL CHECK (metric IN ('messages')),
  quantity        integer NOT NULL CHECK (quantity >= 0),
  occurred_at     timestamptz(3) NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT usage_records_pkey PRIMARY KEY (id),
  CONSTRAINT usage_records_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX usage_records_organization_id_external_id_key ON usage_records (organization_id, external_id);

CREATE TABLE usage_periods (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  metric          text NOT NULL CHECK (metric IN ('messages')),
  period_start    timestamptz(3) NOT NULL,
  used            bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
  announced       integer[] NOT NULL DEFAULT '{}',
  CONSTRAINT usage_periods_pkey PRIMARY KEY (id),
  CONSTRAINT usage_periods_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX usage_periods_organization_id_metric_period_start_key
  ON usage_periods (organization_id, metric, period_start);

CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL,
  key             text NOT NULL CHECK (key <> ''),
  request_hash    bytea NOT NULL,
  response        bytea,
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, key),
  CONSTRAINT idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at);

-- Webhooks ------------------------------------------------------------------------------------------------------------

CREATE TABLE subscriptions (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  target_url      text NOT NULL CHECK (target_url <> ''),
  event_types     text[] NOT NULL CHECK (cardinality(event_types) > 0),
  chatbot_id      uuid,
  status          text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'failed')),
  secret          bytea NOT NULL,
  failure_count   integer NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
  failed_at       timestamptz(3),
  gap_from        timestamptz(3),
  failure_reason  text,
  next_secret     bytea,
  next_secret_at  timestamptz(3),
  headers         bytea,
  header_names    text[] NOT NULL DEFAULT '{}',
  conditions      jsonb,
  conditions_path text,
  rate_limit      smallint CHECK (rate_limit >= 1),
  ordering        text CHECK (ordering IN ('record')),
  public_key_signature boolean NOT NULL DEFAULT false,
  version         integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT subscriptions_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Not SET NULL: without its filter, the subscription would receive the events of every chatbot.
  CONSTRAINT subscriptions_organization_id_chatbot_id_fkey FOREIGN KEY (organization_id, chatbot_id)
    REFERENCES chatbots (organization_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX subscriptions_organization_id_created_at_idx ON subscriptions (organization_id, created_at);
CREATE INDEX subscriptions_chatbot_id_idx ON subscriptions (chatbot_id) WHERE chatbot_id IS NOT NULL;

-- Earlier values of subscriptions, from which the log derives the requests that were sent. `version` numbers them.
CREATE TABLE subscription_versions (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  version         integer NOT NULL,
  target_url      text NOT NULL,
  header_names    text[] NOT NULL,
  secret          bytea NOT NULL,
  next_secret     bytea,
  next_secret_at  timestamptz(3),
  replaced_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT subscription_versions_pkey PRIMARY KEY (id),
  CONSTRAINT subscription_versions_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT subscription_versions_subscription_id_fkey FOREIGN KEY (subscription_id)
    REFERENCES subscriptions (id) ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX subscription_versions_organization_id_idx ON subscription_versions (organization_id);
CREATE UNIQUE INDEX subscription_versions_subscription_id_version_key ON subscription_versions (subscription_id, version);

CREATE TABLE organization_signing_keys (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  public_key      bytea NOT NULL CHECK (octet_length(public_key) = 32),
  private_key     bytea NOT NULL,
  signs_from      timestamptz(3) NOT NULL,
  published_until timestamptz(3) CHECK (published_until > signs_from),
  created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT organization_signing_keys_pkey PRIMARY KEY (id),
  CONSTRAINT organization_signing_keys_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX organization_signing_keys_organization_id_signs_from_idx
  ON organization_signing_keys (organization_id, signs_from);
-- One key of each organization is the latest.
CREATE UNIQUE INDEX organization_signing_keys_latest_idx
  ON organization_signing_keys (organization_id) WHERE published_until IS NULL;

-- Updated at every batch of deliveries: free space on each page lets an update stay there and touch no index, and dead
-- rows are vacuumed early.
CREATE TABLE subscription_queues (
  subscription_id    uuid NOT NULL,
  lease_worker       bigint,
  leased_at          timestamptz(3),
  circuit_open_until timestamptz(3),
  last_delivery_at   timestamptz(3),
  CONSTRAINT subscription_queues_pkey PRIMARY KEY (subscription_id),
  CONSTRAINT subscription_queues_subscription_id_fkey FOREIGN KEY (subscription_id)
    REFERENCES subscriptions (id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_threshold = 100,
  autovacuum_vacuum_cost_delay = 0
);

CREATE TABLE subscription_routes (
  organization_id uuid NOT NULL,
  event_type      text NOT NULL CHECK (event_type <> ''),
  subscription_id uuid NOT NULL,
  chatbot_id      uuid NOT NULL,
  conditions_path jsonpath,
  since           timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT subscription_routes_pkey PRIMARY KEY (subscription_id, event_type),
  CONSTRAINT subscription_routes_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT subscription_routes_subscription_id_fkey FOREIGN KEY (subscription_id)
    REFERENCES subscriptions (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX subscription_routes_organization_id_event_type_chatbot_id_idx
  ON subscription_routes (organization_id, event_type, chatbot_id);

-- Keeps subscription_routes: a row for each type of each subscription, with the nil UUID for every chatbot. A route that
-- stays the same keeps its `since`; routes are deleted with their subscription.
CREATE FUNCTION parley_route_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  chatbot uuid := coalesce(NEW.chatbot_id, '00000000-0000-0000-0000-000000000000');
  path jsonpath := NEW.conditions_path::jsonpath;
BEGIN
  DELETE FROM subscription_routes
  WHERE subscription_id = NEW.id
    AND NOT (organization_id = NEW.organization_id AND event_type = ANY (NEW.event_types) AND chatbot_id = chatbot
             AND conditions_path::text IS NOT DISTINCT FROM path::text);
  INSERT INTO subscription_routes (organization_id, event_type, subscription_id, chatbot_id, conditions_path)
  SELECT DISTINCT ON (type) NEW.organization_id, type, NEW.id, chatbot, path FROM unnest(NEW.event_types) AS type
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER parley_route_subscription
  AFTER INSERT OR UPDATE OF event_types, chatbot_id, conditions_path, organization_id ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION parley_route_subscription();

-- Notifies delivery workers that a subscription was deleted, however it was deleted. packages/webhooks/src/notifications.ts
-- parses the payload.
CREATE FUNCTION parley_announce_deleted_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('parley_webhooks', json_build_object('kind', 'changed', 'subscription', OLD.id)::text);
  RETURN NULL;
END $$;

CREATE TRIGGER parley_announce_deleted_subscription AFTER DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION parley_announce_deleted_subscription();

CREATE TABLE notices (
  id         uuid NOT NULL DEFAULT uuidv7(),
  type       text NOT NULL CHECK (type IN ('subscription.failing', 'subscription.failed', 'subscription.recovered')),
  body       text NOT NULL CHECK (body <> ''),
  attempts   smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT notices_pkey PRIMARY KEY (id)
);
CREATE INDEX notices_next_at_idx ON notices (next_at);

CREATE TABLE events (
  id              uuid NOT NULL,
  organization_id uuid NOT NULL,
  type            text NOT NULL CHECK (type <> ''),
  chatbot_id      uuid,
  body            text NOT NULL CHECK (body <> ''),
  created_at      timestamptz(3) NOT NULL,
  record_id       uuid,
  -- Increases with each change of a record: the number is taken when the change has locked the record.
  sequence        bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  CONSTRAINT events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_organization_id_created_at_id_idx ON events (organization_id, created_at, id);
CREATE INDEX events_organization_id_record_id_created_at_idx ON events (organization_id, record_id, created_at);

-- One row: events before this time may be removed. It is set before they are removed, so that the event feed never skips any.
CREATE TABLE event_retention (
  id             boolean NOT NULL DEFAULT true CHECK (id),
  removed_before timestamptz(3) NOT NULL,
  CONSTRAINT event_retention_pkey PRIMARY KEY (id)
);
INSERT INTO event_retention (removed_before) VALUES ('1970-01-01T00:00:00Z');

-- Pending deliveries: rows come and go all the time, so dead ones are vacuumed early.
CREATE TABLE deliveries (
  id              uuid NOT NULL DEFAULT uuidv7(),
  organization_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  event_id        uuid NOT NULL,
  attempts        smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  redelivery      boolean NOT NULL DEFAULT false,
  next_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  record_key      uuid,
  sequence        bigint,
  CONSTRAINT deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT deliveries_order_check CHECK ((record_key IS NULL) = (sequence IS NULL))
) WITH (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX deliveries_subscription_id_next_at_id_idx ON deliveries (subscription_id, next_at, id);
-- Only deliveries to subscriptions that receive the events of each record in order.
CREATE INDEX deliveries_subscription_id_record_key_sequence_idx ON deliveries (subscription_id, record_key, sequence)
  WHERE record_key IS NOT NULL;
CREATE INDEX deliveries_subscription_id_id_idx ON deliveries (subscription_id, id);
CREATE INDEX deliveries_event_id_idx ON deliveries (event_id);
CREATE INDEX deliveries_retrying_idx ON deliveries (subscription_id, id) WHERE attempts > 0;

-- `status_code` and `duration_ms` have no range: they are recorded in batches, which an unusual response of a receiver must not make a batch fail.
CREATE TABLE delivery_attempts (
  delivery_id     uuid NOT NULL,
  attempt         smallint NOT NULL CHECK (attempt >= 1),
  attempted_at    timestamptz(3) NOT NULL,
  organization_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  event_id        uuid NOT NULL,
  event_type      text NOT NULL,
  outcome         text NOT NULL CHECK (outcome IN ('delivered', 'failed', 'exhausted')),
  test            boolean NOT NULL DEFAULT false,
  redelivery      boolean NOT NULL DEFAULT false,
  duration_ms     integer NOT NULL,
  status_code     smallint,
  error           text,
  response_body   text,
  version         integer,
  exchange        text,
  CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, attempt, attempted_at)
) PARTITION BY RANGE (attempted_at);
CREATE INDEX delivery_attempts_subscription_id_attempted_at_idx
  ON delivery_attempts (subscription_id, attempted_at DESC);
CREATE INDEX delivery_attempts_event_id_idx ON delivery_attempts (event_id);
-- Finds failures between many delivered attempts.
CREATE INDEX delivery_attempts_not_delivered_idx
  ON delivery_attempts (subscription_id, attempted_at DESC) WHERE outcome <> 'delivered';

-- A scheduled job creates a partition for each day ahead of time. An attempt without one is stored here.
CREATE TABLE delivery_attempts_default PARTITION OF delivery_attempts DEFAULT;

-- Requests -------------------------------------------------------------------------------------------------------------

-- `status_code` and `duration_ms` have no range: requests are recorded in batches, which one row must not make fail.
CREATE TABLE api_requests (
  id                uuid NOT NULL,
  organization_id   uuid NOT NULL,
  requested_at      timestamptz(3) NOT NULL,
  method            text NOT NULL,
  route             text NOT NULL,
  status_code       smallint NOT NULL,
  duration_ms       integer NOT NULL,
  client_id         text,
  user_id           uuid,
  grant_id          uuid,
  request_id        text NOT NULL,
  error_code        text,
  error_description text,
  CONSTRAINT api_requests_pkey PRIMARY KEY (organization_id, requested_at, id)
) PARTITION BY RANGE (requested_at);
-- Callers choose request IDs and may repeat one, so the index also has the order of the list.
CREATE INDEX api_requests_organization_id_request_id_requested_at_id_idx
  ON api_requests (organization_id, request_id, requested_at, id);
CREATE INDEX api_requests_errors_idx ON api_requests (organization_id, requested_at, id) WHERE status_code >= 400;

-- A request without a partition for its day is stored here.
CREATE TABLE api_requests_default PARTITION OF api_requests DEFAULT;

-- Updated with every batch of requests: free space on each page lets an update stay there and touch no index.
CREATE TABLE api_request_counts (
  organization_id uuid NOT NULL,
  minute          timestamptz(3) NOT NULL,
  requests        integer NOT NULL CHECK (requests >= 0),
  errors          integer NOT NULL CHECK (errors >= 0),
  limited         integer NOT NULL CHECK (limited >= 0),
  dropped         integer NOT NULL CHECK (dropped >= 0),
  CONSTRAINT api_request_counts_pkey PRIMARY KEY (organization_id, minute),
  CONSTRAINT api_request_counts_organization_id_fkey FOREIGN KEY (organization_id)
    REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80);
CREATE INDEX api_request_counts_minute_idx ON api_request_counts (minute);

-- Logs ----------------------------------------------------------------------------------------------------------------

-- Returns the column that a log is partitioned by.
CREATE FUNCTION parley_log_time(log regclass) RETURNS name LANGUAGE sql STABLE AS $$
  SELECT attname FROM pg_partitioned_table JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0]
  WHERE partrelid = log
$$;

-- Creates the missing partitions of a log, for `from_day` and the `days` after it.
CREATE FUNCTION parley_add_log_days(log regclass, from_day date, days int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  day date;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('parley log days'));
  FOR day IN SELECT from_day + i FROM generate_series(0, days) AS i LOOP
    name := log || '_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(name) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, log);
    EXECUTE format(
      'WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO %5$I SELECT * FROM moved',
      log || '_default', parley_log_time(log), day, day + 1, name);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', log, name, day, day + 1);
  END LOOP;
END $$;

-- Drops the partitions of a log for the days before `first_day`, and rows of these days that had no partition.
CREATE FUNCTION parley_drop_log_days(log regclass, first_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('parley log days'));
  FOR name IN
    SELECT child.relname FROM pg_inherits
    JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = log AND child.relname ~ '_[0-9]{8}$'
      AND to_date(right(child.relname, 8), 'YYYYMMDD') < first_day
  LOOP
    EXECUTE format('DROP TABLE %I', name);
  END LOOP;
  EXECUTE format('DELETE FROM %I WHERE %I < %L', log || '_default', parley_log_time(log), first_day);
END $$;

-- Attempts in the log by subscription and hour, without tests. The columns up_to_… count the answered attempts by duration: up to this
-- many milliseconds, and more than the previous column. Updated with every batch of results: free space on each page lets an update stay
-- there and touch no index. An array, or a row for each bucket, costs as much to update, and twice or four times as much to add up.
CREATE TABLE delivery_counts (
  subscription_id uuid NOT NULL,
  hour            timestamptz(3) NOT NULL,
  organization_id uuid NOT NULL,
  delivered       integer NOT NULL,
  failed          integer NOT NULL,
  exhausted       integer NOT NULL,
  up_to_1_ms       integer NOT NULL DEFAULT 0,
  up_to_2_ms       integer NOT NULL DEFAULT 0,
  up_to_3_ms       integer NOT NULL DEFAULT 0,
  up_to_6_ms       integer NOT NULL DEFAULT 0,
  up_to_10_ms      integer NOT NULL DEFAULT 0,
  up_to_18_ms      integer NOT NULL DEFAULT 0,
  up_to_30_ms      integer NOT NULL DEFAULT 0,
  up_to_60_ms      integer NOT NULL DEFAULT 0,
  up_to_100_ms     integer NOT NULL DEFAULT 0,
  up_to_180_ms     integer NOT NULL DEFAULT 0,
  up_to_300_ms     integer NOT NULL DEFAULT 0,
  up_to_600_ms     integer NOT NULL DEFAULT 0,
  up_to_1000_ms    integer NOT NULL DEFAULT 0,
  up_to_1800_ms    integer NOT NULL DEFAULT 0,
  up_to_3000_ms    integer NOT NULL DEFAULT 0,
  up_to_6000_ms    integer NOT NULL DEFAULT 0,
  up_to_10000_ms   integer NOT NULL DEFAULT 0,
  up_to_18000_ms   integer NOT NULL DEFAULT 0,
  up_to_30000_ms   integer NOT NULL DEFAULT 0,
  up_to_60000_ms   integer NOT NULL DEFAULT 0,
  CONSTRAINT delivery_counts_pkey PRIMARY KEY (subscription_id, hour)
) WITH (
  fillfactor = 50
);
