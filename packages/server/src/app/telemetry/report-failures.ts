import type { Logger } from '../../platform/logger.ts';

interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Item> {
  export(items: Item, done: (result: ExportResult) => void): void;
}

const MAX_MESSAGE = 200;

/** Logs the first of several failed exports, and the next one that succeeds. Returns the same exporter. */
export function reportFailures<Item, E extends Exporter<Item>>(
  exporter: E & Exporter<Item>,
  { signal, logger }: { signal: 'traces' | 'metrics'; logger: Logger },
): E {
  let isFailing = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== 0;
      if (hasFailed && !isFailing) logger.warn({ signal, ...reasonOf(result.error) }, 'export failed');
      if (!hasFailed && isFailing) logger.info({ signal }, 'export resumed');
      isFailing = hasFailed;
      done(result);
    });
  return exporter;
}

/** Not the error itself: its other members can contain the response or the request. */
function reasonOf(error: Error | undefined): object {
  const { code } = Object(error) as { code?: unknown };
  return { reason: error?.message.slice(0, MAX_MESSAGE) ?? 'unknown', code };
}
