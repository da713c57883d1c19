import type { Event } from '@tps/client';
import type { ExportPosition } from './cursor-file.ts';
import type { FormatPage } from './export-format.ts';
import type { ExportTarget } from './export-target.ts';

export interface ExportOptions {
  readonly pages: AsyncIterable<{ readonly data: readonly Event[]; readonly next_cursor: string | null }>;
  readonly format: FormatPage;
  readonly target: ExportTarget;
  readonly start: ExportPosition;
  /** Records the position durably. */
  readonly save?: ((position: ExportPosition) => Promise<void>) | undefined;
  /** Receives the number of events written so far. */
  readonly onProgress?: ((events: number) => Promise<void>) | undefined;
}

/**
 * Writes the feed page by page. Requests a page only after the previous one has been written, so that memory stays
 * bounded for a long feed and a slow reader. A position is recorded after its events are durable: an export that is
 * killed in between writes them again.
 *
 * @returns the number of events written, including earlier runs
 */
export async function exportEvents({
  pages,
  format,
  target,
  start,
  save,
  onProgress,
}: ExportOptions): Promise<number> {
  const { since, output } = start;
  let { events } = start;
  for await (const { data, next_cursor: cursor } of pages) {
    if (data.length > 0) await target.write(format(data));
    events += data.length;
    if (save) await save({ cursor, outputBytes: await target.settle(), output, events, since });
    await onProgress?.(events);
  }
  await target.settle();
  return events;
}
