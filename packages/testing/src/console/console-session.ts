import { hash, randomBytes } from 'node:crypto';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { createId, type TenantId } from '@tps/server/store';
import { testFetch } from '../service/test-fetch.ts';
import type { TestService } from '../service/test-service.ts';

const HOUR_MS = 3_600_000;

/** Signs a person in without the pages, which take seconds. Returns the secret in the session's cookie. */
export async function startSession(
  { service }: Pick<TestService, 'service'>,
  {
    accountId,
    nowMs = Date.now(),
    tenantId = null,
  }: { accountId: string; nowMs?: number; tenantId?: TenantId | null },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const session = {
    session_hash: hash('sha256', secret, 'hex'),
    session_id: createId(ID_PREFIXES.session, nowMs),
    account_id: accountId,
    created_at: nowMs,
    seen_at: nowMs,
    authenticated_at: nowMs,
    methods: '["password"]',
    user_agent: 'test',
    address: '127.0.0.1',
    tenant_id: tenantId,
    expires_at: nowMs + 24 * HOUR_MS,
  };
  await service.database.transaction((tx) => tx.insertMany('account_sessions', [session]));
  return secret;
}

/** What the exchange of a session returns. */
export interface ExchangedSession {
  readonly access_token: string;
  readonly expires_in: number;
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  readonly tenant: { readonly id: string; readonly name: string };
  readonly role: string;
  readonly scopes: readonly string[];
  readonly tenants: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly authenticated_at: string;
}

/** Exchanges a session for a token, as the console does. */
export async function exchangeSession(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  secret: string | undefined,
  {
    body = {},
    headers = {},
  }: { body?: unknown; headers?: Readonly<Record<string, string | undefined>> } = {},
): Promise<{ status: number; headers: Headers; body: ExchangedSession }> {
  const all = {
    origin: baseUrl,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    'x-tps-console': '1',
    cookie: secret === undefined ? undefined : `tps-session=${secret}`,
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await testFetch(`${baseUrl}/console/session`, {
    method: 'POST',
    headers: sent,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
