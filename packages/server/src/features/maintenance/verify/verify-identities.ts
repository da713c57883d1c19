import { hash } from 'node:crypto';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { toOptionalTimestamp } from '../../../platform/time.ts';
import { digestOfToken } from '../../tokens/index.ts';
import { FindingCollector, type Findings, NOT_IN_LOG } from './finding.ts';
import { pagesOf } from './rows-read-model.ts';

type Entry = Row<'audit_entries'>;

/** What the audit log says about a token. */
interface TokenFacts {
  /** Undefined for an entry of a version that did not record it. */
  digest?: string | undefined;
  expiresAt?: string | null | undefined;
  revokedAt?: string | undefined;
  isRevoked?: boolean;
  /** Whether it is kept also after its end: only access tokens and credentials of devices are deleted. */
  isKept?: boolean;
}

/** What the audit log says about a device. */
interface DeviceFacts {
  keyDigest?: string | undefined;
  isRevoked?: boolean;
  revokedAt?: string | undefined;
}

const MAX_NAMED = 5;

/** Collects what the audit log of one tenant says about its tokens and devices. */
export class RecordedIdentities {
  readonly #tokens = new Map<string, TokenFacts>();
  readonly #devices = new Map<string, DeviceFacts>();
  /** Grants of OAuth and sessions of the console, and what each gives. */
  readonly #grants = new Map<string, readonly string[]>();

  add({ action, outcome, resource_id: id, fields: text }: Entry): void {
    if (outcome !== 'success') return;
    const fields = () => JSON.parse(text) as Record<string, string | null | undefined>;
    const token = (tokenId: string, facts: TokenFacts) =>
      this.#tokens.set(tokenId, { ...this.#tokens.get(tokenId), ...facts });
    const device = (facts: DeviceFacts) => this.#devices.set(id, { ...this.#devices.get(id), ...facts });
    switch (action) {
      case 'token.create': {
        const { digest, expires_at: expiresAt } = fields();
        token(id, { digest: digest ?? undefined, expiresAt, isKept: true });
        break;
      }
      case 'token.roll': {
        const { digest, expires_at: expiresAt, successor, ends_at: endsAt } = fields();
        if (successor) token(successor, { digest: digest ?? undefined, expiresAt, isKept: true });
        token(id, { expiresAt: endsAt });
        break;
      }
      case 'enrolment.create': {
        const { digest, expires_at: expiresAt } = fields();
        token(id, { digest: digest ?? undefined, expiresAt, isKept: true });
        break;
      }
      case 'oauth.issue':
        token(id, { digest: fields().digest ?? undefined });
        break;
      case 'oauth.grant': {
        const { grant_id: grantId, scopes } = JSON.parse(text) as { grant_id: string; scopes: string[] };
        this.#grants.set(grantId, scopes);
        break;
      }
      case 'console.open': {
        const { session_id: sessionId, scopes } = JSON.parse(text) as {
          session_id: string;
          scopes: string[];
        };
        // One entry for each role that the person has had meanwhile.
        this.#grants.set(sessionId, [...(this.#grants.get(sessionId) ?? []), ...scopes]);
        break;
      }
      case 'device.enrol':
      case 'device.renew_credential': {
        const { digest, token_id: tokenId } = fields();
        if (tokenId) token(tokenId, { digest: digest ?? undefined });
        break;
      }
      case 'enrolment.revoke':
      case 'token.revoke':
        token(id, { isRevoked: true, revokedAt: fields().revoked_at ?? undefined });
        break;
      case 'device.register':
      case 'device.rotate_key':
        device({ keyDigest: fields().public_key_sha256 ?? undefined });
        break;
      case 'device.revoke':
        device({ isRevoked: true, revokedAt: fields().revoked_at ?? undefined });
        break;
    }
  }

  /** Compares the stored tokens with the log. A complete log names every token. */
  async verifyTokens(
    queries: ReadQueries,
    tenantId: string,
    { isComplete }: { isComplete: boolean },
  ): Promise<Findings> {
    const collector = new FindingCollector();
    const missing = new Set([...this.#tokens].flatMap(([id, { isKept }]) => (isKept ? [id] : [])));
    for await (const rows of pagesOf(queries, 'tokens', { tenantId, key: ['token_id'] })) {
      for (const row of rows) {
        missing.delete(row.token_id);
        const facts = this.#tokens.get(row.token_id);
        if (row.grant_id !== null) {
          const granted = this.#grants.get(row.grant_id);
          if (!granted && !isComplete) collector.skip(NOT_IN_LOG);
          else collector.add(whyGrantDiffers(row, granted));
        } else if (facts?.digest === undefined && !isComplete) collector.skip(NOT_IN_LOG);
        else collector.add(whyTokenDiffers(row, facts, this.#devices.get(row.device_id ?? '')));
      }
    }
    for (const id of missing) collector.report(`token ${id} is missing`);
    return collector.findings();
  }

  /** @param deleted at most so many devices were deleted on request: the log does not name them */
  async verifyDevices(
    queries: ReadQueries,
    tenantId: string,
    { isComplete, deleted }: { isComplete: boolean; deleted: number },
  ): Promise<Findings> {
    const collector = new FindingCollector();
    const registered = [...this.#devices].filter(([, { keyDigest }]) => keyDigest !== undefined);
    const missing = new Set(registered.map(([id]) => id));
    for await (const rows of pagesOf(queries, 'devices', { tenantId, key: ['device_id'] })) {
      for (const row of rows) {
        missing.delete(row.device_id);
        const facts = this.#devices.get(row.device_id);
        if (facts?.keyDigest === undefined && !isComplete) collector.skip(NOT_IN_LOG);
        else collector.add(whyDeviceDiffers(row, facts));
      }
    }
    if (missing.size > deleted)
      collector.report(
        `${missing.size} devices are missing (${[...missing].slice(0, MAX_NAMED).join(', ')}), but ${deleted} were deleted on request`,
      );
    return collector.findings();
  }
}

function whyTokenDiffers(
  row: Row<'tokens'>,
  facts: TokenFacts | undefined,
  device: DeviceFacts | undefined,
): string | undefined {
  const name = `token ${row.token_id}`;
  if (!facts) return `${name} has no audit entry`;
  if (facts.digest !== undefined && facts.digest !== digestOfToken(row))
    return `${name} was changed: it does not match its audit entry`;
  // An access token ends with its client, without its own entry.
  if (row.client_id !== null) return undefined;
  // The credentials of a device end with its renewals and its revocation, without entries of their own.
  if (row.device_id !== null) return whyRevived(row, facts, device);
  if (facts.expiresAt !== undefined && facts.expiresAt !== toOptionalTimestamp(row.expires_at))
    return `the expiry of ${name} differs from its audit entry`;
  if ((facts.isRevoked === true) !== (row.revoked_at !== null))
    return `${name} is ${row.revoked_at === null ? 'active' : 'revoked'}, but according to the audit log it is not`;
  if (facts.revokedAt !== undefined && facts.revokedAt !== toOptionalTimestamp(row.revoked_at))
    return `the time of the revocation of ${name} differs from its audit entry`;
  return undefined;
}

/** An access token does not have its own entry: the grant that it rests on has one. */
function whyGrantDiffers(row: Row<'tokens'>, granted: readonly string[] | undefined): string | undefined {
  if (!granted) return `the grant of token ${row.token_id} has no audit entry`;
  const excess = (JSON.parse(row.scopes) as string[]).filter((scope) => !granted.includes(scope));
  if (excess.length === 0) return undefined;
  return `token ${row.token_id} has the scope ${excess.join(', ')}, which its grant does not give`;
}

/** Explains that a credential of a device is active although the log says that it was revoked, or its device. */
function whyRevived(
  row: Row<'tokens'>,
  facts: TokenFacts,
  device: DeviceFacts | undefined,
): string | undefined {
  if (row.revoked_at !== null) return undefined;
  const name = `token ${row.token_id}`;
  if (facts.isRevoked === true) return `${name} is active, but according to the audit log it is not`;
  if (device?.isRevoked !== true) return undefined;
  return `${name} is active, but according to the audit log its device is revoked`;
}

function whyDeviceDiffers(row: Row<'devices'>, facts: DeviceFacts | undefined): string | undefined {
  const name = `device ${row.device_id}`;
  if (!facts) return `${name} has no audit entry`;
  if (facts.keyDigest !== undefined && facts.keyDigest !== hash('sha256', row.public_key))
    return `the key of ${name} does not match its audit entry`;
  const isRevoked = facts.isRevoked === true;
  if (row.status !== (isRevoked ? 'revoked' : 'active') || isRevoked !== (row.revoked_at !== null))
    return `${name} is ${row.status}, but according to the audit log it is not`;
  if (facts.revokedAt !== undefined && facts.revokedAt !== toOptionalTimestamp(row.revoked_at))
    return `the time of the revocation of ${name} differs from its audit entry`;
  return undefined;
}
