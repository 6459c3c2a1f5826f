-- parley:no-transaction
CREATE INDEX CONCURRENTLY subscriptions_user_id_idx ON subscriptions (user_id);
