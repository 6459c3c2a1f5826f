-- Whoever remembers what an access token stands for hears by NOTIFY, at commit, when that is no longer so. All of these
-- changes are rare: a refresh, a use of a token and the removal of expired ones say nothing.
-- The payload names what changed: `grant <id>`, `organization <id>` or `token <SHA-256 in hex>`.
CREATE FUNCTION notify_token_cache() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('parley_token_cache', TG_ARGV[0] || ' ' || ltrim(to_jsonb(OLD) ->> TG_ARGV[1], '\x'));
  RETURN NULL;
END;
$$;

CREATE TRIGGER oauth_grants_changed AFTER UPDATE OF revoked_at, organization_id, user_id, client_id ON oauth_grants
  FOR EACH ROW WHEN ((OLD.revoked_at, OLD.organization_id, OLD.user_id, OLD.client_id)
    IS DISTINCT FROM (NEW.revoked_at, NEW.organization_id, NEW.user_id, NEW.client_id))
  EXECUTE FUNCTION notify_token_cache('grant', 'id');

-- Also when its organization, its user or its app is deleted, which deletes it too.
CREATE TRIGGER oauth_grants_deleted AFTER DELETE ON oauth_grants
  FOR EACH ROW WHEN (OLD.revoked_at IS NULL)
  EXECUTE FUNCTION notify_token_cache('grant', 'id');

CREATE TRIGGER oauth_tokens_changed AFTER UPDATE OF grant_id, kind, scopes, expires_at ON oauth_tokens
  FOR EACH ROW WHEN (OLD.kind = 'access' AND (OLD.grant_id, OLD.kind, OLD.scopes, OLD.expires_at)
    IS DISTINCT FROM (NEW.grant_id, NEW.kind, NEW.scopes, NEW.expires_at))
  EXECUTE FUNCTION notify_token_cache('token', 'token_hash');

CREATE TRIGGER oauth_tokens_deleted AFTER DELETE ON oauth_tokens
  FOR EACH ROW WHEN (OLD.kind = 'access' AND OLD.expires_at > now())
  EXECUTE FUNCTION notify_token_cache('token', 'token_hash');

CREATE TRIGGER organizations_changed AFTER UPDATE OF name, plan ON organizations
  FOR EACH ROW WHEN ((OLD.name, OLD.plan) IS DISTINCT FROM (NEW.name, NEW.plan))
  EXECUTE FUNCTION notify_token_cache('organization', 'id');

-- Sign-in asks whether a user came from a network before.
CREATE INDEX audit_log_sign_ins_idx ON audit_log (user_id, (details ->> 'network')) WHERE event = 'user.signed_in';
