import type { Event } from '@tps/client';
import type { ExportPosition } from './cursor-file.ts';
import type { FormatPage } from './export-format.ts';
import type { ExportTarget } from './export-target.ts';

export interface ExportOptions {
  readonly pages: AsyncIterable<{ readonly data: readonly Event[]; readonly next_cursor: string | null }>;
  readonly format: FormatPage;
  readonly target: ExportTarget;
  readonly start: ExportPosition;
  /** Notes durably how far the export has come. */
  readonly save?: ((position: ExportPosition) => Promise<void>) | undefined;
  /** Hears how many events have been written so far. */
  readonly onProgress?: ((events: number) => Promise<void>) | undefined;
}

/**
 * Writes the feed page by page. Holds one page at a time, and asks for the next one when the last has been written, so
 * neither a long feed nor a slow reader fills the memory. A position is noted after its events are safe: who is killed
 * in between writes them again.
 *
 * @returns how many events were written, earlier runs included
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
