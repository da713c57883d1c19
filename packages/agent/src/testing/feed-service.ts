import { createHash } from 'node:crypto';
import type { Event, EventBatchResult, Policy } from '@tps/contract';
import { onTestFinished } from 'vitest';
import { type ReceivedRequest, type Reply, refusal, startCheckingService } from './checking-service.ts';

const TENANT_ID = 'tnt_1';

/**
 * A small service that stores events like the real one: each id once, and only from registered devices. The replies in
 * `script` answer the next batches, in order.
 */
export async function startFeedService() {
  const feed = new Map<string, Event>();
  const keys = new Map<string, string>();
  const state = {
    /** Replies to the next batches; a function sees the batch first. */
    script: [] as (Reply | ((batch: readonly Event[]) => Reply))[],
    registrations: [] as Reply[],
    rotations: [] as (Reply | 'disconnect_after')[],
    policies: [] as Policy[],
    policyReply: undefined as Reply | undefined,
    /** Of GET /devices/{id}/updates, which the service does not know by default. */
    updatesReply: refusal(404, 'not_found') as Reply,
    /** By path. Empty by default. */
    indicatorReplies: {} as Record<string, Reply | ((request: ReceivedRequest) => Reply)>,
  };

  const register = ({ body }: ReceivedRequest): Reply => {
    const scripted = state.registrations.shift();
    if (scripted !== undefined) return scripted;
    const [id, key] = [String(body.device_id), String(body.public_key_b64)];
    const known = keys.get(id);
    if (known !== undefined && known !== key) return refusal(409, 'device_key_conflict');
    keys.set(id, key);
    return [known === undefined ? 201 : 200, { ...body, tenant_id: TENANT_ID, status: 'active' }];
  };
  const rotate = ({ path, body }: ReceivedRequest): Reply => {
    const scripted = state.rotations.shift();
    if (scripted !== undefined && scripted !== 'disconnect_after') return scripted;
    const id = path.split('/')[2] ?? '';
    const key = String(body.public_key_b64);
    keys.set(id, key);
    if (scripted === undefined) return [200, { device_id: id, tenant_id: TENANT_ID }];
    service.trust(id, key);
    return 'disconnect';
  };
  const store = (event: Event): EventBatchResult => {
    const known = feed.get(event.event_id);
    if (known === undefined) feed.set(event.event_id, event);
    return { event_id: event.event_id, status: known === undefined ? 201 : 200 };
  };
  const listPolicies = ({ ifNoneMatch }: ReceivedRequest): Reply => {
    if (state.policyReply !== undefined) return state.policyReply;
    const body = { data: state.policies, has_more: false, next_cursor: null };
    const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, 16)}"`;
    return ifNoneMatch === etag ? [304, undefined, { etag }] : [200, body, { etag }];
  };
  const batches: (readonly Event[])[] = [];
  const service = await startCheckingService((request) => {
    if (request.path.startsWith('/policies')) return listPolicies(request);
    if (request.path.startsWith('/indicators')) {
      const reply = state.indicatorReplies[request.path] ?? refusal(404, 'not_found');
      return typeof reply === 'function' ? reply(request) : reply;
    }
    if (request.path.endsWith('/updates')) return state.updatesReply;
    if (request.path === '/devices') return register(request);
    if (request.path.endsWith('/keys')) return rotate(request);
    const events = request.body.events as Event[];
    batches.push(events);
    const scripted = state.script.shift();
    if (scripted !== undefined) return typeof scripted === 'function' ? scripted(events) : scripted;
    return [200, { results: events.map(store) }];
  });
  onTestFinished(async () => {
    await service.close();
  });
  return {
    ...service,
    state,
    /** The stored events, in the order of arrival. */
    feed,
    /** All batches with valid signatures, including those refused afterwards. */
    batches,
    store,
    /** Replaces a device's key without a request, as a request that timed out may still be processed later. */
    exchange: (deviceId: string, publicKeyB64: string) => {
      keys.set(deviceId, publicKeyB64);
      service.trust(deviceId, publicKeyB64);
    },
  };
}
