import type { ThreatIndicator } from '@tps/client';
import { INDICATOR_TYPES, INDICATOR_VALIDITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import {
  bulkAction,
  choicesOf,
  column,
  DialogButton,
  EmptyState,
  type ListDefinition,
  ListPage,
  StatusBadge,
  type Tone,
} from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { ImportDialog } from './import/import-dialog.tsx';
import { expireChunk, removeChunk, restoreIndicators } from './indicator-bulk.ts';
import { IndicatorDetail } from './indicator-detail.tsx';
import { toRowId, validityOf } from './indicator-id.ts';
import { SourcesDialog } from './sources-dialog.tsx';

const TONE_OF_VALIDITY: Readonly<Record<string, Tone>> = {
  current: 'good',
  upcoming: 'waiting',
  expired: 'ended',
};

const INDICATORS: ListDefinition<ThreatIndicator> = {
  noun: { one: 'indicator', many: 'indicators' },
  queryKey: 'indicators',
  read: (client, query, page) => client.indicators.list({ ...query, ...page }).page(),
  idOf: toRowId,
  titleOf: ({ value }) => value,
  pathOf: () => undefined,
  columns: [
    {
      id: 'value',
      header: 'Value',
      value: ({ value }) => value,
      cell: ({ value }) => <bdi>{value}</bdi>,
      filter: 'value',
      width: 300,
      grows: true,
      onCard: 'title',
    },
    column.text({ id: 'type', header: 'Type', filter: 'type', width: 96, onCard: 'line' }),
    {
      id: 'validity',
      header: 'Validity',
      value: (one) => validityOf(one),
      cell: (one) => (
        <StatusBadge value={validityOf(one)} tone={TONE_OF_VALIDITY[validityOf(one)] ?? 'waiting'} />
      ),
      filter: 'validity',
      width: 104,
      onCard: 'mark',
    },
    column.words({ id: 'category', header: 'Category', filter: 'category', width: 136 }),
    column.text({ id: 'source', header: 'Source', filter: 'source', width: 176, onCard: 'line' }),
    column.percent({ id: 'confidence', header: 'Confidence', width: 96 }),
    column.time({ id: 'valid_until', header: 'Expires', absent: 'Never', width: 112 }),
    {
      id: 'label',
      header: 'Belongs to',
      value: ({ label }) => label ?? '',
      cell: ({ label }) => <bdi>{label}</bdi>,
      width: 176,
    },
    {
      id: 'scope',
      header: 'Applies to',
      value: ({ scope }) => (scope === 'global' ? 'all tenants' : 'this tenant'),
      width: 104,
      hiddenByDefault: true,
    },
    column.words({ id: 'threat_type', header: 'Threat', width: 150, hiddenByDefault: true }),
  ],
  filters: [
    { name: 'value', label: 'Value begins with', kind: 'text', placeholder: 'parcel-desk.example' },
    { name: 'type', label: 'Type', kind: 'any-of', choices: choicesOf(INDICATOR_TYPES) },
    { name: 'validity', label: 'Validity', kind: 'any-of', choices: choicesOf(INDICATOR_VALIDITIES) },
    { name: 'category', label: 'Category', kind: 'any-of', choices: choicesOf(THREAT_CATEGORIES) },
    { name: 'source', label: 'Source', kind: 'text' },
  ],
  bulk: [
    bulkAction<ThreatIndicator>({
      id: 'expire',
      label: 'Expire',
      scope: 'devices:write',
      key: 'e',
      appliesTo: (one) => one.scope === 'tenant' && validityOf(one) !== 'expired',
      run: expireChunk,
      done: { one: 'indicator expired', many: 'indicators expired' },
      undo: restoreIndicators,
    }),
    bulkAction<ThreatIndicator>({
      id: 'remove',
      label: 'Remove',
      scope: 'devices:write',
      appliesTo: ({ scope }) => scope === 'tenant',
      run: removeChunk,
      done: { one: 'indicator removed', many: 'indicators removed' },
    }),
  ],
  detail: (id) => <IndicatorDetail key={id} id={id} />,
  empty: (
    <EmptyState title="No indicators yet">
      Domains, links, files and apps that are known to be bad. Import your own list or a published one:
      devices then recognize them without asking the service.
    </EmptyState>
  ),
};

export function IndicatorsPage() {
  const can = useCan();
  return (
    <>
      <ListPage
        definition={INDICATORS}
        title="Indicators"
        description="What is known to be bad. Devices get these in a signed bundle."
        actions={
          <>
            <DialogButton opens="sources" label="Sources" />
            {can('devices:write') && <DialogButton opens="import" label="Import indicators" isMain />}
          </>
        }
      />
      <SourcesDialog />
      {can('devices:write') && <ImportDialog />}
    </>
  );
}
