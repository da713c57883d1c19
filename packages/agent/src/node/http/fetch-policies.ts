import type { Policy } from '@tps/contract';
import { MAX_POLICIES, parsePolicies } from '../../policy/policy-list.ts';
import type { FetchedPolicies, Outcome } from '../../ports/transport.ts';
import { outcomeOf } from './http-outcome.ts';
import type { JsonRequest, JsonResponse } from './json-exchange.ts';

/** At 100 policies a page. */
const MAX_PAGES = MAX_POLICIES / 100;

type Answered = Extract<Outcome<unknown>, { kind: 'answered' }>;

type Page =
  | { readonly kind: 'unchanged' }
  /** A list that is the API's, of policies that this agent cannot decide by. */
  | { readonly kind: 'unusable' }
  | {
      readonly kind: 'some';
      readonly policies: readonly Policy[];
      readonly nextCursor: string | undefined;
      readonly etag: string | undefined;
    };

type Get = (request: JsonRequest) => Promise<JsonResponse | string>;

/**
 * Reads all pages of the tenant's policies. The entity tag is that of the first page and says nothing of further
 * ones, so a list that has some gets none and is read whole each time.
 *
 * @param get sends one request; gives a sentence when there was no answer
 */
export async function fetchPolicies(get: Get, etag: string | undefined): Promise<Outcome<FetchedPolicies>> {
  const all: Policy[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const outcome = await fetchPage(get, cursor, page === 1 ? etag : undefined);
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
  get: Get,
  cursor: string | undefined,
  etag: string | undefined,
): Promise<Outcome<Page>> {
  const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const headers: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag };
  const response = await get({ path: `policies?limit=100${after}`, headers });
  if (typeof response === 'string') return { kind: 'unreachable', message: response };
  return outcomeOf<Page>(response, (content) => {
    if (response.status !== 304) return pageOf(content, response.headers.get('etag') ?? undefined);
    // Only who named a tag can be told that nothing has changed.
    return etag === undefined ? undefined : { kind: 'unchanged' };
  });
}

/** The service has answered, and that is what uploading waits for; the policies known before go on holding. */
function unusable({ status, serviceTimeMs }: Pick<Answered, 'status' | 'serviceTimeMs'>): Outcome<never> {
  const message = 'The policies are too many, or such as this agent does not know.';
  return {
    kind: 'refused',
    status,
    code: 'unusable_policies',
    message,
    retryAfterMs: undefined,
    serviceTimeMs,
  };
}

function pageOf(content: unknown, etag: string | undefined): Page | undefined {
  const { data, has_more, next_cursor } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(data)) return undefined;
  const policies = parsePolicies(data);
  if (policies === undefined) return { kind: 'unusable' };
  const nextCursor = has_more === true && typeof next_cursor === 'string' ? next_cursor : undefined;
  return { kind: 'some', policies, nextCursor, etag };
}
