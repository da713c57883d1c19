// The statements that claim due deliveries and read, in the same step, the events they deliver.

const COLUMNS = `
  d.tenant_id, d.webhook_id, d.delivery_id, d.event_id, d.test_body, d.claims, d.attempts, d.dead_at, d.replay,
  w.url, w.secret_key_id, w.secret, w.previous_secret_key_id, w.previous_secret, w.previous_secret_until,
  s.last_status, c.state as circuit, e.body`;

/** For SQLite: the due deliveries of one webhook. */
export const DUE_OF_ONE = `
  select ${COLUMNS}
  from deliveries d
  join webhooks w on w.tenant_id = d.tenant_id and w.webhook_id = d.webhook_id
  left join webhook_states s on s.tenant_id = d.tenant_id and s.webhook_id = d.webhook_id
  left join webhook_circuits c on c.tenant_id = d.tenant_id and c.webhook_id = d.webhook_id
  left join events e on e.tenant_id = d.tenant_id and e.event_id = d.event_id
  where d.tenant_id = ? and d.webhook_id = ? and d.due_at <= ?
    and w.status = 'active' and w.secret_key_id in (select value from json_each(?))
  order by d.due_at limit ?`;

/**
 * The planner cannot know how few rows `max_rows` leaves, and would read all deliveries and events: 55 ms for
 * 350 000 of them. Locked rows keep their ctid until the statement ends, so they are found by ctid: 4 ms.
 */
export const CLAIM_OF_ALL = `
  with due as materialized (
    select d.ctid as place, ${COLUMNS}
    from json_to_recordset($1) as wanted(tenant_id text, webhook_id text, max_rows bigint)
    join webhooks w on w.tenant_id = wanted.tenant_id and w.webhook_id = wanted.webhook_id
      and w.status = 'active' and w.secret_key_id = any($2)
    cross join lateral (
      select ctid, * from deliveries
      where tenant_id = w.tenant_id and webhook_id = w.webhook_id and due_at <= $3
      order by due_at limit wanted.max_rows for update skip locked
    ) d
    left join webhook_states s on s.tenant_id = d.tenant_id and s.webhook_id = d.webhook_id
    left join webhook_circuits c on c.tenant_id = d.tenant_id and c.webhook_id = d.webhook_id
    left join lateral (
      select body from events where tenant_id = d.tenant_id and event_id = d.event_id limit 1
    ) e on true
  ), claimed as (
    update deliveries d set claims = d.claims + 1, due_at = $4, leased_by = $5
    where d.ctid = any(array(select place from due))
  )
  select * from due`;
