import { Alert, Modal, Radio, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { DataRequest, NewDataRequest } from '@tps/client';
import { useState } from 'react';
import { Form, useAct, useDialog, useDraft } from '../../kit/index.ts';

interface Draft {
  readonly kind: NewDataRequest['kind'];
  readonly subjectType: DataRequest['subject_type'];
  readonly subject: string;
}

const EMPTY: Draft = { kind: 'export', subjectType: 'device_id', subject: '' };

/** Requests an export or a deletion. For a deletion, the subject is typed twice. */
export function NewDataRequestDialog() {
  const { isOpen, close } = useDialog('new');
  return (
    <Modal opened={isOpen} onClose={close} size="lg" title="New data request">
      <NewDataRequestForm close={close} />
    </Modal>
  );
}

function NewDataRequestForm({ close }: { readonly close: () => void }) {
  const navigate = useNavigate();
  const draft = useDraft<Draft>('new-data-request', EMPTY);
  // Not in the draft: a confirmation is typed for the request that is sent.
  const [confirm, setConfirm] = useState('');
  const { kind, subjectType, subject } = draft.value;
  const isDeletion = kind === 'deletion';
  const set = (change: Partial<Draft>) => draft.setValue({ ...draft.value, ...change });
  const create = useAct<NewDataRequest, DataRequest>({
    run: (client, request, attempt) => client.dataRequests.create(request, attempt),
    changes: [['data-requests']],
    draft,
    onDone: ({ request_id }) => navigate({ to: `/data-requests/${request_id}` }),
  });
  const submit = () => {
    const value = subject.trim();
    create.mutate({
      kind,
      subject: subjectType === 'device_id' ? { device_id: value } : { indicator: value },
      ...(isDeletion && { confirm }),
    });
  };
  return (
    <Form
      act={isDeletion ? 'Delete permanently' : 'Request the export'}
      isReady={subject.trim() !== '' && (!isDeletion || confirm === subject.trim())}
      change={create}
      onSubmit={submit}
      onCancel={close}
      isDangerous={isDeletion}
    >
      <Radio.Group label="Kind" value={kind} onChange={(next) => set({ kind: next as Draft['kind'] })}>
        <Stack gap="xs" mt="xs">
          <Radio size="xs" value="export" label="Export: the records can be downloaded for 7 days" />
          <Radio size="xs" value="deletion" label="Deletion: the records are deleted permanently" />
        </Stack>
      </Radio.Group>
      <SubjectFields value={draft.value} onChange={set} />
      {isDeletion && (
        <>
          <Alert color="red" title="A deletion cannot be undone">
            Events are removed from the feed, and everything derived from them is deleted too.
          </Alert>
          <TextInput
            label={`Type the ${subjectType === 'device_id' ? 'device ID' : 'indicator'} again to confirm`}
            autoComplete="off"
            value={confirm}
            onChange={(event) => setConfirm(event.currentTarget.value)}
          />
        </>
      )}
    </Form>
  );
}

function SubjectFields({
  value: { subjectType, subject },
  onChange,
}: {
  readonly value: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}) {
  const isDevice = subjectType === 'device_id';
  return (
    <Stack gap="xs" align="flex-start">
      <SegmentedControl
        size="xs"
        aria-label="About"
        data={[
          { value: 'device_id', label: 'A device' },
          { value: 'indicator', label: 'An indicator' },
        ]}
        value={subjectType}
        onChange={(type) => onChange({ subjectType: type as DataRequest['subject_type'] })}
      />
      <TextInput
        w="100%"
        data-autofocus
        label={isDevice ? 'Device ID' : 'Indicator'}
        description={isDevice ? undefined : 'As in the events. Phone numbers and addresses are never kept.'}
        placeholder={isDevice ? 'dev_…' : 'url:sha256:…'}
        maxLength={512}
        autoComplete="off"
        value={subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value })}
      />
    </Stack>
  );
}
