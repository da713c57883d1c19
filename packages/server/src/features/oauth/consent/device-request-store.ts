import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import * as recordStore from '../provider/record-store.ts';

/** What a device has asked for (RFC 8628), as the provider stores it. */
export interface DeviceRequest {
  readonly recordHash: string;
  readonly clientId: string;
  /** The parameters of its request. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Where the request came from. */
  readonly deviceInfo: Readonly<Record<string, unknown>>;
}

/** What the next request of the device finds. */
export type DeviceDecision =
  | {
      readonly accountId: string;
      readonly grantId: string;
      readonly scope: string;
      readonly resource: string | undefined;
      /** In seconds. */
      readonly authTime: number;
      readonly amr: readonly string[];
    }
  | { readonly error: 'access_denied'; readonly errorDescription: string };

interface Payload {
  readonly clientId?: string;
  readonly params?: DeviceRequest['params'];
  readonly deviceInfo?: DeviceRequest['deviceInfo'];
  readonly accountId?: string;
  readonly error?: string;
}

/** Finds the request of the device that shows this code, unless it has been decided. */
export async function findUndecided(
  queries: ReadQueries,
  userCode: string,
  nowMs: number,
): Promise<DeviceRequest | undefined> {
  const hash = recordStore.recordHashOf('user code', userCode);
  const record = await recordStore.findByUserCode(queries, hash, nowMs);
  const payload = record && readUndecided(record.payload);
  if (!payload) return undefined;
  const { clientId = '', params = {}, deviceInfo = {} } = payload;
  return { recordHash: record.record_hash, clientId, params, deviceInfo };
}

/** Stores a decision. Returns false if the request was decided before or has ended: of several decisions, one counts. */
export async function decide(
  tx: Queries,
  { recordHash }: DeviceRequest,
  decision: DeviceDecision,
): Promise<boolean> {
  const query = tx.db.selectFrom('oauth_records').select('payload').where('record_hash', '=', recordHash);
  const record = await forUpdate(tx, query).executeTakeFirst();
  const payload = record && readUndecided(record.payload);
  if (!payload) return false;
  const isAllowed = 'grantId' in decision;
  await tx.db
    .updateTable('oauth_records')
    .set({
      payload: JSON.stringify({ ...payload, ...decision }),
      // A person has decided, so it no longer counts under the limit for requests without a sign-in.
      asked_by: null,
      // The end of the grant removes the record too.
      ...(isAllowed ? { grant_id: decision.grantId, account_id: decision.accountId } : {}),
    })
    .where('record_hash', '=', recordHash)
    .execute();
  return true;
}

function readUndecided(text: string): Payload | undefined {
  const payload = JSON.parse(text) as Payload;
  return payload.accountId === undefined && payload.error === undefined ? payload : undefined;
}
