class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * Does work until it is done or somebody presses Ctrl-C, then cleans up, and ends this process. What still runs in it
 * then runs no more, and its children end with it.
 */
export async function untilInterrupted(
  work: () => Promise<void>,
  cleanUp: () => Promise<void>,
): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => reject(new InterruptedError(signal)));
  });
  let exitCode = 0;
  try {
    await Promise.race([work(), interrupted]);
  } catch (error) {
    exitCode = error instanceof InterruptedError ? 130 : 1;
    console.error(error instanceof InterruptedError ? '\ninterrupted: cleaning up' : error);
  }
  try {
    await cleanUp();
  } catch (error) {
    exitCode ||= 1;
    console.error(error);
  }
  process.exit(exitCode);
}
