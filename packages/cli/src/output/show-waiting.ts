import type { CommandContext } from '../command-context.ts';

const EVERY_MS = 200;
const CLEAR_LINE = '\r\u001b[K';

/** Waits for a promise and shows the elapsed time on a terminal. */
export async function showWaiting<Value>(
  { stderr }: Pick<CommandContext, 'stderr'>,
  what: string,
  waiting: Promise<Value>,
): Promise<Value> {
  if (!stderr.isTerminal) return waiting;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    void stderr.write(`${CLEAR_LINE}waiting for ${what} … ${seconds} s`).catch(() => undefined);
  }, EVERY_MS);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
    await stderr.write(CLEAR_LINE);
  }
}
