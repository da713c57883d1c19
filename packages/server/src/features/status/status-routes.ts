import { getStatus } from '@tps/contract';
import { type Route, route } from '../../platform/http/route.ts';
import type { StatusReader } from './status-reader.ts';

export function statusRoutes(status: StatusReader): Route[] {
  return [route(getStatus, async ({ tenantId }) => ({ status: 200, body: await status.read(tenantId) }))];
}
