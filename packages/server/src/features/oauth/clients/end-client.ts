import type { Queries } from '../../../database/index.ts';
import { auditStore, SERVICE } from '../../audit/index.ts';
import * as consentStore from '../consent/consent-store.ts';
import { endAccessOfClient } from '../end-access.ts';
import { entryOf } from './client-audit.ts';
import * as clientStore from './client-store.ts';
import type { OAuthClientRecord } from './oauth-client.ts';

/** Removes a client that the caller has locked, with its tokens and grants. Returns the ids of the tokens that ended. */
export async function removeClient(
  tx: Queries,
  { tenantId, clientId }: OAuthClientRecord,
  nowMs: number,
): Promise<string[]> {
  await consentStore.removeOfClient(tx, tenantId, clientId);
  const ended = await endAccessOfClient(tx, tenantId, { clientId, nowMs });
  await clientStore.remove(tx, tenantId, clientId);
  return ended;
}

/** Does the same for a client whose owner has ended, with the audit entry. */
export async function endClient(
  tx: Queries,
  client: OAuthClientRecord,
  { why, nowMs }: { why: string; nowMs: number },
): Promise<string[]> {
  const ended = await removeClient(tx, client, nowMs);
  const entry = entryOf(client, 'oauth_client.delete');
  await auditStore.append(
    tx,
    { ...entry, detail: `${entry.detail}: ${why}`, actor: SERVICE, outcome: 'success', requestId: null },
    nowMs,
  );
  return ended;
}
