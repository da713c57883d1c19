import type { ReadQueries } from '../../../database/index.ts';
import { type RunContext, StepFailureError, type StepResult, type WorkflowStep } from './workflow.ts';

/** Bounds what a run stores: far more than the evidence of the largest job, far less than what the store would choke on. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_ARTIFACT_BYTES = 2 * 1024 * 1024;

/** The service stops, and the step has had its time to finish. */
export class StepInterruptedError extends Error {
  override readonly name = 'StepInterruptedError';
}

export interface StepRun {
  readonly result: StepResult;
  /** `result.output` as it is stored. */
  readonly output: string;
}

/**
 * Runs a step without changing anything.
 * @throws StepFailureError `step_timeout` when it takes longer than `limitMs`, `output_too_large`; StepInterruptedError; and
 *   whatever the step throws
 */
export async function runStep(
  step: WorkflowStep,
  context: RunContext,
  { queries, limitMs, interruption }: { queries: ReadQueries; limitMs: number; interruption: AbortSignal },
): Promise<StepRun> {
  const startedMs = performance.now();
  const facts = await withinLimit(step.gather(queries, context), { limitMs, interruption });
  const result = step.run(facts, context);
  // Nothing interrupts what does not wait: it can only be found too slow when it is over.
  if (performance.now() - startedMs > limitMs) throw timeout(limitMs);
  const output = JSON.stringify(result.output ?? null);
  refuseLarge(output, MAX_OUTPUT_BYTES);
  for (const { content } of result.artifacts ?? []) refuseLarge(content, MAX_ARTIFACT_BYTES);
  return { result, output };
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

function refuseLarge(text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) {
    throw new StepFailureError('output_too_large', `The step put out more than ${maxBytes} bytes`);
  }
}
