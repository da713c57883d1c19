import type { Event } from '@tps/client';
import type { ExportFormat } from './export-formats.ts';
import { toCef, toSyslogCef } from './to-cef.ts';
import { toOcsf } from './to-ocsf.ts';
import { toStixBundle } from './to-stix.ts';

/** Formats a page of events as text that ends with a line feed. */
export type FormatPage = (events: readonly Event[]) => string;

/** Returns the formatter of a format. `withSyslogHeader` applies to CEF only. */
export function toFormatter(
  format: ExportFormat,
  { withSyslogHeader = false }: { readonly withSyslogHeader?: boolean } = {},
): FormatPage {
  switch (format) {
    case 'ndjson':
      return byLine((event) => JSON.stringify(event));
    case 'ocsf':
      return byLine((event) => JSON.stringify(toOcsf(event)));
    case 'cef':
      return byLine(withSyslogHeader ? toSyslogCef : toCef);
    case 'stix':
      // One bundle per page, so that memory does not grow with the length of the feed.
      return (events) => `${JSON.stringify(toStixBundle(events))}\n`;
  }
}

function byLine(toLine: (event: Event) => string): FormatPage {
  return (events) => events.map((event) => `${toLine(event)}\n`).join('');
}
