import type { Policy } from '@tps/contract';
import type { JsonRequest, JsonResponse } from '../json-exchange.ts';
import { parsePolicies } from '../policy/policy-list.ts';
import type { FetchedPolicies, Outcome } from '../ports/transport.ts';
import { outcomeOf } from './http-outcome.ts';

/** At 100 policies a page, as many as the agent is willing to hold. */
const MOST_PAGES = 10;

interface Page {
  /** Undefined when nothing has changed. */
  readonly policies: readonly Policy[] | undefined;
  readonly nextCursor: string | undefined;
}

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
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const isConditional = page === 1 && etag !== undefined;
    const response = await get({
      path: `policies?limit=100${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      headers: isConditional ? { 'if-none-match': etag } : {},
    });
    if (typeof response === 'string') return { kind: 'unreachable', message: response };
    const outcome = outcomeOf(response, (content) =>
      response.status === 304 ? unchanged(isConditional) : pageOf(content),
    );
    if (outcome.kind !== 'answered') return outcome;
    const { policies, nextCursor } = outcome.body;
    if (policies === undefined) return { ...outcome, body: { kind: 'unchanged' } };
    all.push(...policies);
    cursor = nextCursor;
    if (cursor === undefined) {
      const tag = page === 1 ? (response.headers.get('etag') ?? undefined) : undefined;
      return { ...outcome, body: { kind: 'changed', policies: all, etag: tag } };
    }
  }
  return { kind: 'unreachable', message: `There are more than ${MOST_PAGES * 100} policies.` };
}

/** Only who named a tag can be told that nothing has changed. */
function unchanged(isConditional: boolean): Page | undefined {
  return isConditional ? { policies: undefined, nextCursor: undefined } : undefined;
}

function pageOf(content: unknown): Page | undefined {
  const { data, has_more, next_cursor } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const policies = parsePolicies(data);
  if (policies === undefined) return undefined;
  return {
    policies,
    nextCursor: has_more === true && typeof next_cursor === 'string' ? next_cursor : undefined,
  };
}
