import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ListDefinition } from '../list-definition.ts';
import { ExportDialog } from './export-dialog.tsx';
import { useExport } from './use-export.ts';

const ALL = {};

/** Saves all items of a list of the API as a file with one object per line. */
export function DownloadButton<Item>({
  list,
}: {
  readonly list: Pick<ListDefinition<Item>, 'noun' | 'read'>;
}) {
  const exported = useExport({ list, query: ALL, columns: [] });
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconDownload size={14} aria-hidden="true" />}
        onClick={() => exported.begin('ndjson')}
      >
        Download the {list.noun.many}
      </Button>
      <ExportDialog exported={exported} noun={list.noun} />
    </>
  );
}
