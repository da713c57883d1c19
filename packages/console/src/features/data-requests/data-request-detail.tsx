import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Client, DataRecord, DataRequest, ErasedEvent } from '@tps/client';
import {
  Actor,
  DetailLayout,
  DownloadButton,
  detailPage,
  Facts,
  History,
  type ListDefinition,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
  toWords,
} from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import { kindText, subjectText, totalText } from './data-request-words.ts';

/** Only while the request is running. */
const RUNNING_POLL_MS = 2_000;

/** A data request: the same on its page and beside the list. */
export function DataRequestFlyout({ id }: { readonly id: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['data-requests', id],
    queryFn: ({ signal }) => client.dataRequests.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_POLL_MS : false),
  });
  return (
    <QueryState query={query}>
      {(request) => <DataRequestDetail key={request.request_id} request={request} />}
    </QueryState>
  );
}

export const DataRequestPage = detailPage(DataRequestFlyout);

function DataRequestDetail({ request }: { readonly request: DataRequest }) {
  const { request_id: id, status } = request;
  return (
    <DetailLayout
      id={id}
      title={`${kindText(request)}: ${subjectText(request)}`}
      marks={<StatusBadge value={status} />}
      actions={<Download request={request} />}
    >
      {status === 'running' && (
        <Alert color="gray" title="In progress" role="status">
          The service works through all records. {totalText(request)} so far. You can leave this page.
        </Alert>
      )}
      <Section title="Records">
        <Records request={request} />
      </Section>
      <Section title="Request">
        <Facts items={factsOf(request)} />
      </Section>
      <History id={id} />
    </DetailLayout>
  );
}

/** Downloads the records of an export, or the positions of the events that a deletion erased. */
function Download({ request: { request_id: id, kind, status } }: { readonly request: DataRequest }) {
  if (status !== 'completed') return null;
  return kind === 'export' ? (
    <DownloadButton list={recordsOf(id)} />
  ) : (
    <DownloadButton list={erasedEventsOf(id)} />
  );
}

function recordsOf(id: string): Pick<ListDefinition<DataRecord>, 'noun' | 'read'> {
  return {
    noun: { one: 'record', many: 'records' },
    read: (client: Client, _query, page) => client.dataRequests.records(id, page).page(),
  };
}

function erasedEventsOf(id: string): Pick<ListDefinition<ErasedEvent>, 'noun' | 'read'> {
  return {
    noun: { one: 'erased event', many: 'erased events' },
    read: (client: Client, _query, page) => client.dataRequests.erasedEvents(id, page).page(),
  };
}

function Records({ request: { records, status, kind } }: { readonly request: DataRequest }) {
  if (records.length > 0)
    return (
      <Facts
        items={records.map(({ kind: record, count }) => ({
          label: toWords(record),
          value: count.toLocaleString(),
        }))}
      />
    );
  return (
    <Text size="sm" c="dimmed">
      {status === 'running' ? 'None so far.' : `Nothing was ${kind === 'export' ? 'found' : 'deleted'}.`}
    </Text>
  );
}

function factsOf(request: DataRequest) {
  const { created_at: created, completed_at: completed, expires_at: expires, proof } = request;
  return [
    { label: 'Kind', value: kindText(request) },
    { label: 'Subject', value: subjectText(request) },
    { label: 'Requested by', value: <Actor {...request.created_by} /> },
    { label: 'Created', value: <TimeValue value={created} format="full" /> },
    { label: 'Completed', value: completed && <TimeValue value={completed} format="full" /> },
    { label: 'Readable until', value: expires && <TimeValue value={expires} format="full" /> },
    { label: 'Proof', value: proof && <code>{proof}</code> },
  ];
}
