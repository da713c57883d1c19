import type { Client } from '@tps/client';
import type { BulkAction, BulkResult, BulkTarget } from '../list-definition.ts';

/** The most ids that one request of the API takes. */
const CHUNK_IDS = 100;

/** What became of a bulk change so far. */
export interface BulkOutcome {
  readonly changed: readonly BulkResult[];
  readonly failed: readonly BulkResult[];
}

interface BulkRun<Item> {
  readonly action: Pick<BulkAction<Item>, 'run'>;
  readonly client: Client;
  readonly target: BulkTarget;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly onProgress: (outcome: BulkOutcome) => void;
}

/**
 * Changes items chunk by chunk until none are left: chosen ones and all that match a filter alike. What was done stays done
 * when a chunk fails: the error has the outcome up to then.
 *
 * @throws BulkInterruptedError
 */
export async function runBulk<Item>(run: BulkRun<Item>): Promise<BulkOutcome> {
  let outcome: BulkOutcome = { changed: [], failed: [] };
  const { action, client, input, signal } = run;
  try {
    for (const target of partsOf(run.target)) {
      let cursor: string | null = null;
      do {
        signal.throwIfAborted();
        const chunk = await action.run(client, { target, input, cursor, signal });
        outcome = withResults(outcome, chunk.results);
        run.onProgress(outcome);
        cursor = chunk.next_cursor;
      } while (cursor !== null);
    }
  } catch (cause) {
    throw new BulkInterruptedError(outcome, cause);
  }
  return outcome;
}

/** A bulk change that ended before all items had their turn. */
export class BulkInterruptedError extends Error {
  override readonly name = 'BulkInterruptedError';
  readonly outcome: BulkOutcome;

  constructor(outcome: BulkOutcome, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'The change was interrupted.', { cause });
    this.outcome = outcome;
  }
}

function partsOf(target: BulkTarget): readonly BulkTarget[] {
  if ('filter' in target) return [target];
  const parts: BulkTarget[] = [];
  for (let start = 0; start < target.ids.length; start += CHUNK_IDS) {
    parts.push({ ids: target.ids.slice(start, start + CHUNK_IDS) });
  }
  return parts;
}

function withResults({ changed, failed }: BulkOutcome, results: readonly BulkResult[]): BulkOutcome {
  return {
    changed: [...changed, ...results.filter(({ error }) => error === undefined)],
    failed: [...failed, ...results.filter(({ error }) => error !== undefined)],
  };
}
