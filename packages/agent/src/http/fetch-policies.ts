import type { Policy } from '@tps/contract';
import { MAX_POLICIES } from '@tps/contract/vocabulary';
import { parsePolicies } from '../policy/policy-list.ts';
import type { FetchedPolicies, TransportOutcome } from '../ports/transport.ts';
import { type SendRequest, toOutcome } from './http-outcome.ts';

/** With 100 policies per page. */
const MAX_PAGES = MAX_POLICIES / 100;

type Page =
  | { readonly kind: 'unchanged' }
  /** A page from the API with policies that this agent cannot decide by. */
  | { readonly kind: 'unusable' }
  | {
      readonly kind: 'some';
      readonly policies: readonly Policy[];
      readonly nextCursor: string | undefined;
      readonly etag: string | undefined;
    };

/**
 * Fetches all pages of the tenant's policies. The entity tag covers the first page only, so a list of several pages gets
 * none and is fetched whole each time.
 */
export async function fetchPolicies(
  send: SendRequest,
  etag: string | undefined,
): Promise<TransportOutcome<FetchedPolicies>> {
  const all: Policy[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const outcome = await fetchPage(send, cursor, page === 1 ? etag : undefined);
    if (outcome.kind !== 'answered') return outcome;
    const { body: found } = outcome;
    if (found.kind === 'unchanged') return { ...outcome, body: found };
    if (found.kind === 'unusable') return unusable(outcome);
    all.push(...found.policies);
    cursor = found.nextCursor;
    if (all.length > MAX_POLICIES || (cursor !== undefined && page === MAX_PAGES)) return unusable(outcome);
    if (cursor === undefined) {
      return {
        ...outcome,
        body: { kind: 'changed', policies: all, etag: page === 1 ? found.etag : undefined },
      };
    }
  }
}

async function fetchPage(
  send: SendRequest,
  cursor: string | undefined,
  etag: string | undefined,
): Promise<TransportOutcome<Page>> {
  const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag };
  const response = await send({ path: `policies?limit=100${after}`, headers });
  return toOutcome<Page>(response, ({ status, headers: answered, content }) => {
    if (status !== 304) return parsePage(content, answered.get('etag') ?? undefined);
    // 304 is valid only in answer to a tag.
    return etag === undefined ? undefined : { kind: 'unchanged' };
  });
}

/** Counts as an answer of the service, which uploading waits for; the known policies stay in force. */
function unusable({
  status,
  serviceTimeMs,
}: Extract<TransportOutcome<unknown>, { kind: 'answered' }>): TransportOutcome<never> {
  return {
    kind: 'refused',
    status,
    code: 'unusable_policies',
    message: `The list has more than ${MAX_POLICIES} policies, or policies that this agent does not support.`,
    retryAfterMs: undefined,
    serviceTimeMs,
  };
}

function parsePage(content: unknown, etag: string | undefined): Page | undefined {
  const { data, has_more, next_cursor } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(data)) return undefined;
  const policies = parsePolicies(data);
  if (policies === undefined) return { kind: 'unusable' };
  const nextCursor = has_more === true && typeof next_cursor === 'string' ? next_cursor : undefined;
  return { kind: 'some', policies, nextCursor, etag };
}
