import { queryOptions } from '@tanstack/react-query';
import type { Alert, Client } from '@tps/client';

/** Begins the keys of everything about alerts. */
export const ALERTS = 'alerts';

/** How many events of an alert are read in full: the newest. */
const MAX_EVENTS = 10;

export function alertQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [ALERTS, 'one', id],
    queryFn: ({ signal }) => client.alerts.get(id, { signal }),
  });
}

/** The newest events of an alert, newest first. */
export function eventsOfAlertQuery(client: Client, { alert_id: id, event_ids: ids }: Alert) {
  return queryOptions({
    queryKey: [ALERTS, 'events', id, ids.length],
    queryFn: ({ signal }) =>
      Promise.all(
        ids
          .slice(-MAX_EVENTS)
          .reverse()
          .map((event) => client.events.get(event, { signal })),
      ),
  });
}
