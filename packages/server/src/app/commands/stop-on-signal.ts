/** Returns a signal that SIGINT or SIGTERM aborts with this message. */
export function stopOnSignal(message: string): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error(`Stopped. ${message}`));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const release = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  return { signal: controller.signal, release };
}
