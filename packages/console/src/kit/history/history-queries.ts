import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditPage, Client } from '@tps/client';

type Read = (
  client: Client,
  id: string,
  page: { cursor: string | null; signal: AbortSignal },
) => Promise<AuditPage>;

interface Source {
  /** What reading the object takes is enough for its history. */
  readonly scope: string;
  readonly read: Read;
}

/** Objects with their own list of audit entries, by the prefix of their ids. */
const SOURCES: Readonly<Record<string, Source>> = {
  inc: { scope: 'incidents:read', read: (client, id, page) => client.audit.ofIncident(id, page).page() },
  dev: { scope: 'devices:read', read: (client, id, page) => client.audit.ofDevice(id, page).page() },
  pol: { scope: 'devices:read', read: (client, id, page) => client.audit.ofPolicy(id, page).page() },
  whk: { scope: 'webhooks:read', read: (client, id, page) => client.audit.ofWebhook(id, page).page() },
  job: {
    scope: 'jobs:read',
    read: (client, id, page) => client.jobs.auditOf(id, page).page() as Promise<AuditPage>,
  },
  tok: { scope: 'tokens:read', read: (client, id, page) => client.tokens.auditOf(id, page).page() },
};

const WHOLE_LOG: Source = {
  scope: 'audit:read',
  read: (client, id, page) => client.audit.list({ resource_id: id, ...page }).page(),
};

const ACTS: Source = {
  scope: 'audit:read',
  read: (client, id, page) => client.audit.list({ actor_id: id, ...page }).page(),
};

/** Whether a history is about what happened to an object, or about what a person, key or application did. */
export type HistoryRole = 'object' | 'actor';

/** Returns where a history is read. */
export function sourceOf(id: string, role: HistoryRole): Source {
  if (role === 'actor') return ACTS;
  const [prefix = ''] = id.split('_', 1);
  return (Object.hasOwn(SOURCES, prefix) ? SOURCES[prefix] : undefined) ?? WHOLE_LOG;
}

/** The audit entries of a history, newest first. */
export function historyQuery(client: Client, id: string, role: HistoryRole) {
  return infiniteQueryOptions({
    queryKey: ['history', id, role],
    queryFn: ({ pageParam, signal }) => sourceOf(id, role).read(client, id, { cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : undefined),
  });
}
