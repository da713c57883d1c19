/** Resolves after the time. Rejects with the reason as soon as one of the signals is aborted. */
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
 * Calls back once, when the first of the signals is aborted, or soon if one already is. Returns a function that removes
 * the listeners: `AbortSignal.any` cannot do that, and would leak on a signal that lives as long as the process.
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
  // In a microtask, so that the caller has the returned function before the callback runs.
  if (signals.some(({ aborted }) => aborted)) queueMicrotask(report);
  return stop;
}
