import type { Policy } from '@tps/contract';
import type { JsonRequest, JsonResponse } from '../json-exchange.ts';
import { MOST_POLICIES, parsePolicies } from '../policy/policy-list.ts';
import type { FetchedPolicies, Outcome } from '../ports/transport.ts';
import { outcomeOf } from './http-outcome.ts';

/** At 100 policies a page. */
const MOST_PAGES = MOST_POLICIES / 100;

type Answered = Extract<Outcome<unknown>, { kind: 'answered' }>;

type Page =
  | { readonly kind: 'unchanged' }
  /** A list that is the API's, of policies that this agent cannot decide by. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'some'; readonly policies: readonly Policy[]; readonly nextCursor: string | undefined };

/**
 * Reads all pages of the tenant's policies. The entity tag is that of the first page and says nothing of further
 * ones, so a list that has some gets none and is read whole each time.
 *
 * @param get sends one request; gives a sentence when there was no answer
 */
export async function fetchPolicies(
  get: (request: JsonRequest) => Promise<JsonResponse | string>,
  etag: string | undefined,
): Promise<Outcome<FetchedPolicies>> {
  const all: Policy[] = [];
  let cursor: string | undefined;
  for (let page = 1; ; page += 1) {
    const isConditional = page === 1 && etag !== undefined;
    const response = await get(requestFor(cursor, isConditional ? etag : undefined));
    if (typeof response === 'string') return { kind: 'unreachable', message: response };
    const outcome = outcomeOf(response, (content) =>
      response.status === 304 ? unchanged(isConditional) : pageOf(content),
    );
    if (outcome.kind !== 'answered') return outcome;
    const { body: found } = outcome;
    if (found.kind === 'unchanged') return { ...outcome, body: found };
    if (found.kind === 'unusable') return unusable(outcome);
    all.push(...found.policies);
    cursor = found.nextCursor;
    if (all.length > MOST_POLICIES || (cursor !== undefined && page === MOST_PAGES)) return unusable(outcome);
    if (cursor === undefined) {
      const tag = page === 1 ? (response.headers.get('etag') ?? undefined) : undefined;
      return { ...outcome, body: { kind: 'changed', policies: all, etag: tag } };
    }
  }
}

function requestFor(cursor: string | undefined, etag: string | undefined): JsonRequest {
  const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  return {
    path: `policies?limit=100${after}`,
    headers: etag === undefined ? {} : { 'if-none-match': etag },
  };
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

/** Only who named a tag can be told that nothing has changed. */
function unchanged(isConditional: boolean): Page | undefined {
  return isConditional ? { kind: 'unchanged' } : undefined;
}

function pageOf(content: unknown): Page | undefined {
  const { data, has_more, next_cursor } = (content ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(data)) return undefined;
  const policies = parsePolicies(data);
  if (policies === undefined) return { kind: 'unusable' };
  const nextCursor = has_more === true && typeof next_cursor === 'string' ? next_cursor : undefined;
  return { kind: 'some', policies, nextCursor };
}
