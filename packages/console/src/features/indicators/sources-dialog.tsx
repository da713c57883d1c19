import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { IndicatorSource } from '@tps/client';
import { useState } from 'react';
import {
  ConfirmByName,
  PageLink,
  QueryState,
  removed,
  TimeValue,
  useAct,
  useDialog,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import classes from './sources-dialog.module.css';

/** The lists from which indicators came: to see one alone, or to remove it. */
export function SourcesDialog() {
  const { isOpen, close } = useDialog('sources');
  const [removing, setRemoving] = useState<string>();
  return (
    <>
      <Modal opened={isOpen && removing === undefined} onClose={close} size="lg" title="Indicator sources">
        <Sources onRemove={setRemoving} />
      </Modal>
      <RemoveSource source={removing} onClose={() => setRemoving(undefined)} />
    </>
  );
}

function Sources({ onRemove }: { readonly onRemove: (source: string) => void }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['indicators', 'sources'],
    queryFn: ({ signal }) => client.indicators.sources({ signal }),
  });
  return (
    <QueryState query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Text size="sm">No source has indicators. Import a list to begin.</Text>
        ) : (
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Source</th>
                <th scope="col" className={classes.number}>
                  Indicators
                </th>
                <th scope="col">Updated</th>
                <th scope="col">
                  <span className={classes.hidden}>Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((source) => (
                <SourceRow key={`${source.scope} ${source.source}`} source={source} onRemove={onRemove} />
              ))}
            </tbody>
          </table>
        )
      }
    </QueryState>
  );
}

function SourceRow({
  source: { scope, source, indicators, updated_at },
  onRemove,
}: {
  readonly source: IndicatorSource;
  readonly onRemove: (source: string) => void;
}) {
  const can = useCan();
  return (
    <tr>
      <td>
        <PageLink to="/indicators" search={{ source }}>
          {source}
        </PageLink>
        {scope === 'global' && ' (all tenants)'}
      </td>
      <td className={classes.number}>{indicators.toLocaleString()}</td>
      <td>
        <TimeValue value={updated_at} />
      </td>
      <td className={classes.number}>
        {scope === 'tenant' && can('devices:write') && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Remove ${source}`}
            onClick={() => onRemove(source)}
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

function RemoveSource({
  source,
  onClose,
}: {
  readonly source: string | undefined;
  readonly onClose: () => void;
}) {
  const remove = useAct<string>({
    run: (client, name) => removed(client.indicators.remove({ source: name })),
    changes: [['indicators']],
    done: 'Source removed',
    onDone: onClose,
    showsError: true,
  });
  return (
    <ConfirmByName
      opened={source !== undefined}
      title="Remove source"
      name={source ?? ''}
      act="Remove source"
      change={remove}
      onConfirm={() => source !== undefined && remove.mutate(source)}
      onClose={onClose}
    >
      <Stack gap={4}>
        All its indicators are deleted. Devices stop matching them when they next fetch the bundle. This
        cannot be undone.
      </Stack>
    </ConfirmByName>
  );
}
