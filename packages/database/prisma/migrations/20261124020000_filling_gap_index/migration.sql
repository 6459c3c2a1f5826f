-- parley:no-transaction
CREATE INDEX CONCURRENTLY subscriptions_filling_gap_idx ON subscriptions (id) WHERE filling_gap;
