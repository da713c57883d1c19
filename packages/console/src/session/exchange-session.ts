import { CONSOLE_PATH, tenantOfAddress } from './site.ts';

/** The signed-in person, and what they may do in the tenant. */
export interface Session {
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    /** Whether the person has proved that the address is theirs. */
    readonly email_verified: boolean;
  };
  readonly tenant: { readonly id: string; readonly name: string };
  readonly role: 'viewer' | 'analyst' | 'admin';
  readonly scopes: readonly string[];
  /** The tenants that the person can switch to, this one included. */
  readonly tenants: readonly { readonly id: string; readonly name: string; readonly role: string }[];
}

/** A session with the token that opens the API for some minutes. */
export interface IssuedSession extends Session {
  readonly access_token: string;
  /** In seconds. */
  readonly expires_in: number;
}

/** The browser is not signed in, or the session has ended. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}

/**
 * The person is signed in, but the session does not reach the tenant that the address names. The message is that of the
 * service if the session reaches no tenant, or the tenant requires single sign-on; otherwise empty.
 */
export class NoAccessError extends Error {
  override readonly name = 'NoAccessError';
}

/** The service demands a header that a form of another site cannot send. */
const OWN_REQUEST = { 'x-tps-console': '1' };

/**
 * Exchanges the session cookie of the browser for a token of the API. The token stays in memory.
 *
 * @throws SignedOutError, NoAccessError, or a TypeError of `fetch` when the service cannot be reached
 */
export async function exchangeSession(tenantId = tenantOfAddress()): Promise<IssuedSession> {
  const response = await fetch(`${CONSOLE_PATH}/session`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', ...OWN_REQUEST },
    body: JSON.stringify(tenantId === undefined ? {} : { tenant_id: tenantId }),
  });
  if (response.status === 401) throw new SignedOutError();
  if (response.status === 403) throw new NoAccessError(await messageOf(response));
  if (response.status === 404) throw new NoAccessError();
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
  return (await response.json()) as IssuedSession;
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { message: string } };
  return body.error.message;
}

/** Ends the session of the browser, and with it all tokens that were exchanged for it. */
export async function endSession(): Promise<void> {
  const response = await fetch(`${CONSOLE_PATH}/session`, {
    method: 'DELETE',
    credentials: 'same-origin',
    headers: OWN_REQUEST,
  });
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
}
