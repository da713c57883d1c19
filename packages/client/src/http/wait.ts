/** Waits. Rejects with the reason as soon as one of the signals is aborted. */
export function wait(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = onAbort(signals, (reason) => {
      clearTimeout(timer);
      reject(reason);
    });
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
  });
}

/**
 * Calls back once, when the first of the signals is aborted, and at once when one is already. Gives what ends the
 * watch: `AbortSignal.any` has no such end, and on a signal that lives as long as the process it would pile up.
 */
export function onAbort(signals: readonly AbortSignal[], callback: (reason: unknown) => void): () => void {
  const stop = () => {
    for (const signal of signals) signal.removeEventListener('abort', report);
  };
  const report = () => {
    stop();
    callback(signals.find(({ aborted }) => aborted)?.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', report);
  // Later, so that the caller holds what ends the watch before it can be over.
  if (signals.some(({ aborted }) => aborted)) queueMicrotask(report);
  return stop;
}
