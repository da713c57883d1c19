/**
 * What the shared limiter needs, beside `SHARED_LIMITER_DDL`, to divide a limit among parts and holders: for a migration
 * to run in order. Nodes of an older version call `admit_requests` on the same tables. What they admit counts as
 * requests of programs.
 */
export const SHARES_DDL: readonly string[] = [
  `ALTER TABLE rate_limit_admissions
     ADD COLUMN part text COLLATE "C" NOT NULL DEFAULT 'programs',
     ADD COLUMN holder text COLLATE "C" NOT NULL DEFAULT ''`,

  // The last holder of each part of a key, and until when more than one counts as in use.
  `CREATE UNLOGGED TABLE rate_limit_parts (
     key text COLLATE "C" NOT NULL,
     part text COLLATE "C" NOT NULL,
     holder text COLLATE "C" NOT NULL,
     used_at timestamptz NOT NULL,
     shared_until timestamptz,
     PRIMARY KEY (key, part)
   ) WITH (fillfactor = 50)`,

  // How much of a limit is taken for a part: `taken` in `toAllowance`.
  `CREATE FUNCTION rate_limit_taken(
     part text, own_and_leaves bigint,
     used_programs bigint, used_devices bigint, used_people bigint,
     kept_programs bigint, kept_devices bigint, kept_people bigint
   ) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
     SELECT greatest(used_programs, CASE part WHEN 'programs' THEN own_and_leaves ELSE kept_programs END)
       + greatest(used_devices, CASE part WHEN 'devices' THEN own_and_leaves ELSE kept_devices END)
       + greatest(used_people, CASE part WHEN 'people' THEN own_and_leaves ELSE kept_people END)
   $$`,

  /*
   * Returns one row per group, in the order of the arguments. Locks and times are those of `admit_requests`. What is
   * left of a limit is computed as by `toAllowance`. A group without a part uses its whole key. One statement reads the
   * admissions of all keys: a tenant can have many, and groups of many holders in one call.
   */
  `CREATE FUNCTION admit_shares(
     keys text[], limits integer[], counts integer[], nonces uuid[],
     parts text[], holders text[], holder_limits integer[],
     for_programs integer[], for_devices integer[], for_people integer[],
     window_ms double precision, in_use_ms double precision
   ) RETURNS TABLE (
     place bigint, granted integer, allowed integer, remaining integer,
     now_ms double precision, oldest_ms double precision, retry_ms double precision
   ) LANGUAGE plpgsql VOLATILE AS $$
   #variable_conflict use_column
   DECLARE
     at_time timestamptz;
     in_use interval := in_use_ms * interval '1 millisecond';
     wanted record;
     leaves integer;
     of_part integer;
     of_holder integer;
     -- What this call has granted before: by part of the key, and to the holder.
     last_key text;
     last_holder text;
     more_programs integer;
     more_devices integer;
     more_people integer;
     more_own integer;
     blocked_part text;
     blocking timestamptz;
   BEGIN
     INSERT INTO rate_limit_keys AS held (key, touched_at)
       SELECT wanted_key COLLATE "C", clock_timestamp()
       FROM unnest(keys) AS wanted_key GROUP BY 1 ORDER BY 1
       ON CONFLICT (key) DO UPDATE SET touched_at = excluded.touched_at;
     at_time := clock_timestamp();
     DELETE FROM rate_limit_admissions AS a
       WHERE a.key = ANY (keys) AND a.admitted_at <= at_time - window_ms * interval '1 millisecond';
     INSERT INTO rate_limit_parts AS held (key, part, holder, used_at, shared_until)
       SELECT g.key, g.part, max(g.holder COLLATE "C"), at_time,
         CASE WHEN min(g.holder COLLATE "C") <> max(g.holder COLLATE "C") THEN at_time + in_use END
       FROM unnest(keys, parts, holders) AS g (key, part, holder) WHERE g.part IS NOT NULL
       GROUP BY g.key, g.part
       ON CONFLICT (key, part) DO UPDATE SET holder = excluded.holder, used_at = excluded.used_at,
         shared_until = CASE
           WHEN held.holder <> excluded.holder AND held.used_at > at_time - in_use THEN at_time + in_use
           ELSE coalesce(excluded.shared_until, held.shared_until) END;

     FOR wanted IN
       WITH by_holder AS (
         SELECT one.key, h.* FROM (SELECT DISTINCT k AS key FROM unnest(keys) AS k) AS one
         CROSS JOIN LATERAL (
           SELECT a.part, a.holder, sum(a.count)::integer AS count, min(a.admitted_at) AS oldest
           FROM rate_limit_admissions AS a WHERE a.key = one.key GROUP BY a.part, a.holder
         ) AS h
       ), by_key AS (
         SELECT h.key, min(h.oldest) AS oldest,
           coalesce(sum(h.count) FILTER (WHERE h.part = 'programs'), 0) AS programs,
           coalesce(sum(h.count) FILTER (WHERE h.part = 'devices'), 0) AS devices,
           coalesce(sum(h.count) FILTER (WHERE h.part = 'people'), 0) AS people
         FROM by_holder AS h GROUP BY h.key
       )
       SELECT g.*, coalesce(h.count, 0) AS own,
         coalesce(k.programs, 0) AS used_programs, coalesce(k.devices, 0) AS used_devices,
         coalesce(k.people, 0) AS used_people, coalesce(k.oldest, at_time) AS oldest,
         (SELECT a.count FROM rate_limit_admissions AS a WHERE a.key = g.key AND a.nonce = g.nonce) AS decided,
         CASE WHEN g.part <> 'programs' AND EXISTS (SELECT FROM rate_limit_parts AS p
           WHERE p.key = g.key AND p.part = 'programs' AND p.used_at > at_time - in_use)
           THEN g.for_programs ELSE 0 END AS kept_programs,
         CASE WHEN g.part <> 'devices' THEN g.for_devices ELSE 0 END AS kept_devices,
         CASE WHEN g.part <> 'people' AND EXISTS (SELECT FROM rate_limit_parts AS p
           WHERE p.key = g.key AND p.part = 'people' AND p.used_at > at_time - in_use)
           THEN g.for_people ELSE 0 END AS kept_people,
         EXISTS (SELECT FROM rate_limit_parts AS p
           WHERE p.key = g.key AND p.part = g.part AND p.shared_until > at_time) AS is_shared
       FROM unnest(keys, limits, counts, nonces, parts, holders, holder_limits, for_programs, for_devices, for_people)
         WITH ORDINALITY AS g (key, "limit", count, nonce, part, holder, holder_limit,
           for_programs, for_devices, for_people, place)
       LEFT JOIN by_key AS k ON k.key = g.key
       LEFT JOIN by_holder AS h ON h.key = g.key AND h.part = g.part AND h.holder = g.holder
       ORDER BY g.key, g.part, g.holder, g.place
     LOOP
       IF wanted.key IS DISTINCT FROM last_key THEN
         more_programs := 0; more_devices := 0; more_people := 0; more_own := 0; blocked_part := NULL;
       ELSIF wanted.part || wanted.holder IS DISTINCT FROM last_holder THEN
         more_own := 0;
       END IF;
       last_key := wanted.key;
       last_holder := wanted.part || wanted.holder;
       wanted.own := wanted.own + more_own;
       wanted.used_programs := wanted.used_programs + more_programs;
       wanted.used_devices := wanted.used_devices + more_devices;
       wanted.used_people := wanted.used_people + more_people;

       allowed := wanted."limit" - wanted.kept_programs - wanted.kept_devices - wanted.kept_people;
       leaves := CASE WHEN wanted.is_shared THEN allowed - greatest(1, allowed * 5 / 6) ELSE 0 END;
       of_part := wanted."limit" - rate_limit_taken(wanted.part, wanted.own + leaves,
         wanted.used_programs, wanted.used_devices, wanted.used_people,
         wanted.kept_programs, wanted.kept_devices, wanted.kept_people);
       of_holder := coalesce(wanted.holder_limit - wanted.own, of_part);
       remaining := least(of_part, of_holder);
       IF of_holder < of_part THEN
         allowed := wanted.holder_limit;
       ELSIF wanted.own + leaves > (CASE wanted.part WHEN 'programs' THEN wanted.used_programs
           WHEN 'devices' THEN wanted.used_devices ELSE wanted.used_people END) THEN
         allowed := allowed - leaves;
       END IF;

       -- A nonce that is there already was decided by a call whose answer was lost.
       granted := wanted.decided;
       IF granted IS NULL THEN
         granted := greatest(0, least(wanted.count, remaining));
         remaining := remaining - granted;
         wanted.own := wanted.own + granted;
         more_own := more_own + granted;
         CASE coalesce(wanted.part, 'programs')
           WHEN 'programs' THEN
             more_programs := more_programs + granted;
             wanted.used_programs := wanted.used_programs + granted;
           WHEN 'devices' THEN
             more_devices := more_devices + granted;
             wanted.used_devices := wanted.used_devices + granted;
           ELSE
             more_people := more_people + granted;
             wanted.used_people := wanted.used_people + granted;
         END CASE;
         IF granted > 0 THEN
           INSERT INTO rate_limit_admissions (key, nonce, admitted_at, count, part, holder) VALUES (
             wanted.key, wanted.nonce, at_time, granted,
             coalesce(wanted.part, 'programs'), coalesce(wanted.holder, ''));
         END IF;
       END IF;
       -- Found once for all holders of a part that are refused together, because it reads every admission.
       IF granted < wanted.count AND blocked_part IS DISTINCT FROM coalesce(wanted.part, '') THEN
         blocked_part := coalesce(wanted.part, '');
         -- One more fits in as soon as enough of the oldest have left. If that takes more than a thousand: in a minute.
         SELECT coalesce(min(o.admitted_at), at_time) INTO blocking FROM (
           SELECT a.admitted_at,
             coalesce(sum(a.count) FILTER (WHERE a.part = 'programs') OVER gone, 0) AS programs,
             coalesce(sum(a.count) FILTER (WHERE a.part = 'devices') OVER gone, 0) AS devices,
             coalesce(sum(a.count) FILTER (WHERE a.part = 'people') OVER gone, 0) AS people,
             coalesce(sum(a.count) FILTER (WHERE a.part = wanted.part AND a.holder = wanted.holder) OVER gone, 0)
               AS own
           FROM (
             SELECT * FROM rate_limit_admissions AS all_of_key WHERE all_of_key.key = wanted.key
             ORDER BY all_of_key.admitted_at, all_of_key.nonce LIMIT 1000
           ) AS a
           WINDOW gone AS (ORDER BY a.admitted_at, a.nonce)
         ) AS o
         WHERE coalesce(wanted.own - o.own < wanted.holder_limit, true)
           AND wanted."limit" > rate_limit_taken(wanted.part, wanted.own - o.own + leaves,
             wanted.used_programs - o.programs, wanted.used_devices - o.devices, wanted.used_people - o.people,
             wanted.kept_programs, wanted.kept_devices, wanted.kept_people);
       END IF;
       place := wanted.place;
       now_ms := extract(epoch FROM at_time) * 1000;
       oldest_ms := extract(epoch FROM wanted.oldest) * 1000;
       retry_ms := extract(epoch FROM coalesce(blocking, at_time)) * 1000;
       RETURN NEXT;
     END LOOP;
   END $$`,
];

export const ADMIT_SHARES = `SELECT * FROM admit_shares($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  ORDER BY place`;

/** Deletes what is known of parts that were not in use for the given time. Waits for no call. */
export const PURGE_PARTS = `
  DELETE FROM rate_limit_parts WHERE (key, part) IN (
    SELECT key, part FROM rate_limit_parts
    WHERE used_at < clock_timestamp() - $1::double precision * interval '1 millisecond'
    FOR UPDATE SKIP LOCKED
  )`;
