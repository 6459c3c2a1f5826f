-- Who created a subscription. Null: not known, a console link, or deleted.
ALTER TABLE subscriptions
  ADD COLUMN user_id uuid REFERENCES users ON DELETE SET NULL ON UPDATE CASCADE,
  ADD COLUMN client_id text REFERENCES oauth_clients ON DELETE SET NULL ON UPDATE CASCADE;

-- The role of a user decides which scopes a token of the user has.
CREATE TRIGGER users_changed AFTER UPDATE OF role ON users
  FOR EACH ROW WHEN (OLD.role IS DISTINCT FROM NEW.role)
  EXECUTE FUNCTION notify_token_cache('user', 'id');
