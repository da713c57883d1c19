import { queryOptions } from '@tanstack/react-query';
import type { Client, Incident } from '@tps/client';
import { isRunning } from '../../kit/index.ts';

/** How often running jobs are read again. */
const RUNNING_MS = 1000;

/** Begins the keys of everything about incidents. */
export const INCIDENTS = 'incidents';

/** How many alerts and threats of an incident are read in full. */
const MAX_SHOWN = 5;

export function incidentQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [INCIDENTS, 'one', id],
    queryFn: ({ signal }) => client.incidents.get(id, { signal }),
  });
}

export function similarQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: [INCIDENTS, 'similar', id],
    queryFn: ({ signal }) => client.incidents.similar(id, { signal }),
  });
}

/** The newest alerts and threats of an incident: what it rests on. */
export function evidenceQuery(client: Client, { id, version, alert_ids, threat_ids }: Incident) {
  return queryOptions({
    queryKey: [INCIDENTS, 'evidence', id, version],
    queryFn: async ({ signal }) => {
      const [alerts, threats] = await Promise.all([
        Promise.all(alert_ids.slice(0, MAX_SHOWN).map((alert) => client.alerts.get(alert, { signal }))),
        Promise.all(threat_ids.slice(0, MAX_SHOWN).map((threat) => client.threats.get(threat, { signal }))),
      ]);
      return { alerts, threats };
    },
    placeholderData: (before) => before,
  });
}

export function jobsOfIncidentQuery(client: Client, id: string) {
  return queryOptions({
    queryKey: ['jobs', 'of', id],
    queryFn: ({ signal }) => client.jobs.list({ input_ref: id, limit: 5, signal }).page(),
    // Until the job waits for a person.
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) ? RUNNING_MS : false),
  });
}

/** The members to whom incidents can be assigned: the first hundred. */
export function assigneesQuery(client: Client) {
  return queryOptions({
    queryKey: ['incident-assignees'],
    queryFn: ({ signal }) => client.incidents.assignees({ limit: 100, signal }).page(),
    staleTime: 60_000,
  });
}
