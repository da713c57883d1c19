/**
 * The PostgreSQL schema of the shared limiter, for a migration to run in order. `SHARES_DDL` adds to it. Nodes of a version
 * that knows no shares call `admit_requests`.
 *
 * The tables are UNLOGGED: an admission is worth nothing a minute later, and a transaction that writes no other
 * table commits without waiting for the disk. After a crash of the database they are empty, so budgets start again.
 * (A function's own `SET synchronous_commit = off` would not help: it ends with the function, before the commit.)
 */
export const SHARED_LIMITER_DDL: readonly string[] = [
  // Half-empty pages, because every call updates its keys: the new row version fits beside the old one.
  `CREATE UNLOGGED TABLE rate_limit_keys (
     key text COLLATE "C" PRIMARY KEY,
     touched_at timestamptz NOT NULL
   ) WITH (fillfactor = 50)`,

  `CREATE UNLOGGED TABLE rate_limit_admissions (
     key text COLLATE "C" NOT NULL,
     nonce uuid NOT NULL,
     admitted_at timestamptz NOT NULL,
     count integer NOT NULL CHECK (count > 0),
     PRIMARY KEY (key, nonce)
   )`,

  /*
   * Returns one row per group, in the order of the arguments. The first statement locks every key in key order, so
   * that two calls cannot deadlock; inserting and locking in one statement stays correct while a sweep removes the
   * row. The time is taken only then, so admissions of a key are in order.
   * Needs READ COMMITTED, the default: the later statements must see what was committed during the wait for the
   * lock.
   */
  `CREATE FUNCTION admit_requests(
     keys text[], limits integer[], counts integer[], nonces uuid[], window_ms double precision
   ) RETURNS TABLE (
     granted integer, used integer,
     now_ms double precision, oldest_ms double precision, retry_ms double precision
   ) LANGUAGE plpgsql VOLATILE AS $$
   #variable_conflict use_column
   DECLARE
     at_time timestamptz;
     oldest timestamptz;
     blocking timestamptz;
     wanted record;
   BEGIN
     INSERT INTO rate_limit_keys AS held (key, touched_at)
       SELECT wanted_key COLLATE "C", clock_timestamp()
       FROM unnest(keys) AS wanted_key GROUP BY 1 ORDER BY 1
       ON CONFLICT (key) DO UPDATE SET touched_at = excluded.touched_at;
     at_time := clock_timestamp();
     DELETE FROM rate_limit_admissions AS a
       WHERE a.key = ANY (keys) AND a.admitted_at <= at_time - window_ms * interval '1 millisecond';

     FOR wanted IN
       SELECT * FROM unnest(keys, limits, counts, nonces) AS g (key, "limit", count, nonce)
     LOOP
       SELECT coalesce(sum(a.count), 0), min(a.admitted_at) INTO used, oldest
         FROM rate_limit_admissions AS a WHERE a.key = wanted.key;
       SELECT a.count INTO granted
         FROM rate_limit_admissions AS a WHERE a.key = wanted.key AND a.nonce = wanted.nonce;
       -- A nonce that is there already was decided by a call whose answer was lost.
       IF granted IS NULL THEN
         granted := greatest(0, least(wanted.count, wanted."limit" - used));
         IF granted > 0 THEN
           INSERT INTO rate_limit_admissions (key, nonce, admitted_at, count)
             VALUES (wanted.key, wanted.nonce, at_time, granted);
           used := used + granted;
         END IF;
       END IF;
       -- One more fits in as soon as used - limit + 1 of the oldest have left.
       SELECT min(o.admitted_at) INTO blocking FROM (
         SELECT a.admitted_at, sum(a.count) OVER (ORDER BY a.admitted_at, a.nonce) AS gone
         FROM rate_limit_admissions AS a WHERE a.key = wanted.key
       ) AS o WHERE o.gone > used - wanted."limit";
       now_ms := extract(epoch FROM at_time) * 1000;
       oldest_ms := extract(epoch FROM coalesce(oldest, at_time)) * 1000;
       retry_ms := extract(epoch FROM coalesce(blocking, at_time)) * 1000;
       RETURN NEXT;
     END LOOP;
   END $$`,
];

/**
 * Deletes a bounded number of keys that were unused for two windows, and their admissions. Two, because a call may
 * have waited for other keys between touching this one and admitting it.
 */
export const PURGE_KEYS = `
  WITH idle AS (
    DELETE FROM rate_limit_keys WHERE key IN (
      SELECT key FROM rate_limit_keys
      WHERE touched_at < clock_timestamp() - 2 * $1::double precision * interval '1 millisecond'
      LIMIT $2 FOR UPDATE SKIP LOCKED
    ) RETURNING key
  ), gone AS (
    DELETE FROM rate_limit_admissions AS a USING idle WHERE a.key = idle.key
  )
  SELECT count(*)::integer AS swept FROM idle`;
