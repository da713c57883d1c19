import { queryOptions } from '@tanstack/react-query';
import type { Client } from '@tps/client';

/** The state of protection: what the overview shows first. */
export function statusQuery(client: Client) {
  return queryOptions({ queryKey: ['status'], queryFn: ({ signal }) => client.status.get({ signal }) });
}
