import { useRef, useState } from 'react';
import { useClient } from '../../../session/index.ts';
import type { ColumnDefinition, ListDefinition, ListQuery } from '../list-definition.ts';
import { type ExportFormat, exportHead, exportLines, exportName } from './export-text.ts';

const PAGE_ITEMS = 100;

interface ExportState {
  readonly format: ExportFormat;
  readonly done: number;
  readonly error: Error | undefined;
}

export interface Export {
  readonly state: ExportState | undefined;
  readonly begin: (format: ExportFormat) => void;
  /** Stops it, or closes its error. */
  readonly cancel: () => void;
}

interface ExportOptions<Item> {
  readonly list: Pick<ListDefinition<Item>, 'noun' | 'read' | 'pageSize'>;
  readonly query: ListQuery;
  readonly columns: readonly ColumnDefinition<Item>[];
}

/** Writes what a list shows into a file: all that match, read page by page, with the shown columns. */
export function useExport<Item>({ list, query, columns }: ExportOptions<Item>): Export {
  const client = useClient();
  const [state, setState] = useState<ExportState>();
  const abort = useRef<AbortController>(null);
  const begin = async (format: ExportFormat) => {
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    const parts: BlobPart[] = [exportHead(format, columns)];
    let done = 0;
    setState({ format, done, error: undefined });
    try {
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list.read>> = await list.read(client, query, {
          cursor,
          limit: list.pageSize ?? PAGE_ITEMS,
          signal,
        });
        // A Blob can leave the memory of the page.
        parts.push(new Blob([exportLines(format, columns, page.data)]));
        done += page.data.length;
        if (!signal.aborted) setState({ format, done, error: undefined });
        cursor = page.has_more ? page.next_cursor : null;
      } while (cursor !== null && !signal.aborted);
      if (signal.aborted) return;
      save(new Blob(parts, { type: TYPES[format] }), exportName(list.noun.many, format, Date.now()));
      setState(undefined);
    } catch (error) {
      if (!signal.aborted) setState({ format, done, error: error as Error });
    }
  };
  return {
    state,
    begin,
    cancel: () => {
      abort.current?.abort();
      setState(undefined);
    },
  };
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  ndjson: 'application/x-ndjson',
};

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
