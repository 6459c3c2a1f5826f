-- A partition cannot be added or dropped while another session holds a lock of the log, for example a dump. Sessions that read the log would
-- wait behind the one that waits for that lock. These functions therefore wait only briefly, and fail with lock_not_available.

-- Creates the missing partitions of a log, for `from_day` and the `days` after it.
CREATE OR REPLACE FUNCTION parley_add_log_days(log regclass, from_day date, days int) RETURNS void LANGUAGE plpgsql
SET lock_timeout = '200ms' AS $$
DECLARE
  day date;
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('parley log days'));
  FOR day IN SELECT from_day + i FROM generate_series(0, days) AS i LOOP
    name := log || '_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(name) IS NOT NULL;
    -- First, so that writers wait until they can find the new partition, and none adds a row to the default partition meanwhile.
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', log);
    EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, log);
    EXECUTE format(
      'WITH moved AS (DELETE FROM %1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO %5$I SELECT * FROM moved',
      log || '_default', parley_log_time(log), day, day + 1, name);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', log, name, day, day + 1);
  END LOOP;
END $$;

ALTER FUNCTION parley_drop_log_days(regclass, date) SET lock_timeout = '200ms';
