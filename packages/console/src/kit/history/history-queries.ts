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

/** Returns where the history of an object is read. */
export function sourceOf(id: string): Source {
  const [prefix = ''] = id.split('_', 1);
  return (Object.hasOwn(SOURCES, prefix) ? SOURCES[prefix] : undefined) ?? WHOLE_LOG;
}

/** The audit entries of an object, newest first. */
export function historyQuery(client: Client, id: string) {
  return infiniteQueryOptions({
    queryKey: ['history', id],
    queryFn: ({ pageParam, signal }) => sourceOf(id).read(client, id, { cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : undefined),
  });
}
