-- However many grants a statement ends, it is told once: what they share, the narrowest first. The payload of migration
-- 20260330000000 may be `user <id>`, `client <id>` and `everything` as well.
DROP TRIGGER oauth_grants_changed ON oauth_grants;
DROP TRIGGER oauth_grants_deleted ON oauth_grants;
DROP TRIGGER oauth_tokens_deleted ON oauth_tokens;

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

-- Whoever remembers a caller knows him as he was before the change.
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

CREATE FUNCTION notify_grants_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM notify_grants_ended(array_agg(id), array_agg(DISTINCT user_id), array_agg(DISTINCT client_id),
    array_agg(DISTINCT organization_id))
  FROM before WHERE revoked_at IS NULL;
  RETURN NULL;
END;
$$;

CREATE TRIGGER oauth_grants_changed AFTER UPDATE ON oauth_grants
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION notify_grants_changed();

CREATE TRIGGER oauth_grants_deleted AFTER DELETE ON oauth_grants
  REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION notify_grants_deleted();

-- What goes with its grant, or after it, was told of with the grant.
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
