import type { DataRequest } from '@tps/client';
import { column, DialogButton, EmptyState, type ListDefinition, ListPage } from '../../kit/index.ts';
import { DataRequestFlyout } from './data-request-detail.tsx';
import { kindText, subjectText, totalText } from './data-request-words.ts';
import { NewDataRequestDialog } from './new-data-request-dialog.tsx';

const DATA_REQUESTS: ListDefinition<DataRequest> = {
  noun: { one: 'data request', many: 'data requests' },
  queryKey: 'data-requests',
  read: (client, query, page) => client.dataRequests.list({ ...query, ...page }).page(),
  idOf: ({ request_id }) => request_id,
  titleOf: (request) => `${kindText(request)}: ${subjectText(request)}`,
  columns: [
    { id: 'subject', header: 'Subject', value: subjectText, width: 260, grows: true, onCard: 'title' },
    { id: 'kind', header: 'Kind', value: kindText, width: 110, onCard: 'line' },
    column.status({ id: 'status', header: 'Status', width: 120, onCard: 'mark' }),
    { id: 'records', header: 'Records', value: totalText, width: 120, align: 'end', onCard: 'line' },
    column.time({ id: 'created_at', header: 'Created', width: 120, onCard: 'line' }),
    column.time({ id: 'expires_at', header: 'Readable until', width: 130 }),
    column.id({ id: 'id', from: 'request_id', header: 'ID', width: 260, hiddenByDefault: true }),
  ],
  filters: [],
  detail: (id) => <DataRequestFlyout id={id} />,
  empty: (
    <EmptyState title="No data requests yet">
      A data request exports or deletes everything that is kept about a device or an indicator.
    </EmptyState>
  ),
};

export function DataRequestsPage() {
  return (
    <>
      <ListPage
        definition={DATA_REQUESTS}
        title="Data requests"
        description="Exports and deletions of what is kept about a device or an indicator."
        actions={<DialogButton opens="new" label="New data request" isMain />}
      />
      <NewDataRequestDialog />
    </>
  );
}
