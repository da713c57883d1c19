import type { ReadQueries } from '../../../database/index.ts';
import type { FairTurns, Steps } from '../../../platform/concurrency/fair-turns.ts';
import { type RunContext, StepFailureError, type StepResult, type WorkflowStep } from './workflow.ts';

/** Bounds what a run stores: far above the evidence of the largest job, far below what the store can handle. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_ARTIFACT_BYTES = 2 * 1024 * 1024;

/** Thrown when the service is stopping and the step has used up its time to finish. */
export class StepInterruptedError extends Error {
  override readonly name = 'StepInterruptedError';
}

export interface StepRun {
  readonly result: StepResult;
  /** `result.output` as it is stored. */
  readonly output: string;
}

/**
 * Runs a step without writing anything.
 * @throws StepFailureError `step_timeout` when it takes longer than `limitMs`, `output_too_large`; StepInterruptedError;
 *   and any error of the step
 */
export async function runStep(
  step: WorkflowStep,
  context: RunContext,
  {
    queries,
    turns,
    limitMs,
    interruption,
  }: { queries: ReadQueries; turns: FairTurns; limitMs: number; interruption: AbortSignal },
): Promise<StepRun> {
  const startedMs = performance.now();
  const { tenantId } = context;
  const work = async () => {
    const facts = await step.gather(queries, context);
    return turns.runSteps(
      tenantId,
      inSteps(() => step.run(facts, context)),
    );
  };
  const result = await withinLimit(work(), { limitMs, interruption });
  // Synchronous code cannot be interrupted, so its time is checked afterwards.
  if (performance.now() - startedMs > limitMs) throw timeout(limitMs);
  const output = await turns.run(tenantId, () => JSON.stringify(result.output ?? null));
  rejectLarge(output, MAX_OUTPUT_BYTES);
  for (const { content } of result.artifacts ?? []) rejectLarge(content, MAX_ARTIFACT_BYTES);
  return { result, output };
}

function* inSteps(run: () => StepResult | Steps<StepResult>): Steps<StepResult> {
  const result = run();
  return 'next' in result ? yield* result : result;
}

async function withinLimit<T>(
  work: Promise<T>,
  { limitMs, interruption }: { limitMs: number; interruption: AbortSignal },
): Promise<T> {
  let end = () => {};
  const limit = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(timeout(limitMs)), limitMs);
    const interrupt = () => reject(new StepInterruptedError('The service is stopping'));
    interruption.addEventListener('abort', interrupt);
    if (interruption.aborted) interrupt();
    end = () => {
      clearTimeout(timer);
      interruption.removeEventListener('abort', interrupt);
    };
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    end();
  }
}

function timeout(limitMs: number): StepFailureError {
  return new StepFailureError('step_timeout', `The step took longer than ${limitMs} ms`);
}

function rejectLarge(text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) {
    throw new StepFailureError('output_too_large', `The output of the step exceeds ${maxBytes} bytes`);
  }
}
