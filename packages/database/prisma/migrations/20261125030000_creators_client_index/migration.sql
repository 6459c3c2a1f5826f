-- parley:no-transaction
CREATE INDEX CONCURRENTLY subscriptions_client_id_idx ON subscriptions (client_id);
