import { IconFlagCheck, IconPlayerPause, IconTag, IconUser, IconUserCheck } from '@tabler/icons-react';
import type { Incident } from '@tps/client';
import { bulkAction, clearDraft } from '../../../kit/index.ts';
import { MoveForm, type MoveInput } from '../acts/resolution-form.tsx';
import { AssignForm, TagForm } from './bulk-forms.tsx';
import { changeIncidents, undoIncidents } from './incident-bulk.ts';

const canMoveTo = (status: Incident['status']) => (incident: Incident) =>
  incident.allowed_moves.some((move) => move.status === status && move.requires !== 'comment');

const RESOLUTIONS = [
  'true_positive',
  'false_positive',
  'benign_expected',
  'duplicate',
  'test',
  'inconclusive',
] as const;

/** What was typed stays until the first incident is resolved. */
const RESOLVE_DRAFT = 'incidents-resolve';

/** What can be done with several incidents; `e` and `a` act on one, too. */
export const INCIDENT_BULK_ACTIONS = [
  bulkAction<Incident, MoveInput>({
    id: 'resolve',
    label: 'Resolve…',
    scope: 'incidents:write',
    key: 'e',
    icon: <IconFlagCheck size={16} />,
    appliesTo: canMoveTo('resolved'),
    form: ({ submit, cancel }) => (
      <MoveForm
        draft={RESOLVE_DRAFT}
        move={{ requires: 'resolution', resolutions: [...RESOLUTIONS] }}
        act="Resolve"
        onCancel={cancel}
        onSubmit={submit}
      />
    ),
    run: async (client, { input, ...change }) => {
      const chunk = await changeIncidents(client, change, {
        status: 'resolved',
        ...(input.resolution !== undefined && { resolution: input.resolution }),
        ...(input.comment !== undefined && { comment: input.comment }),
      });
      clearDraft(RESOLVE_DRAFT);
      return chunk;
    },
    done: { one: 'incident resolved', many: 'incidents resolved' },
  }),
  bulkAction<Incident>({
    id: 'take',
    label: 'Assign to me',
    scope: 'incidents:write',
    key: 'a',
    icon: <IconUserCheck size={16} />,
    appliesTo: ({ status }) => status !== 'resolved' && status !== 'closed',
    run: (client, change) => changeIncidents(client, change, { assignee: 'me', status: 'in_progress' }),
    done: { one: 'incident assigned to you', many: 'incidents assigned to you' },
    undo: undoIncidents,
  }),
  bulkAction<Incident, { assignee: string | null }>({
    id: 'assign',
    label: 'Assign…',
    scope: 'incidents:write',
    icon: <IconUser size={16} />,
    form: ({ submit, cancel }) => (
      <AssignForm onCancel={cancel} onSubmit={(assignee) => submit({ assignee })} />
    ),
    run: (client, { input, ...change }) => changeIncidents(client, change, input),
    done: { one: 'incident assigned', many: 'incidents assigned' },
    undo: undoIncidents,
  }),
  bulkAction<Incident, { add_tags: string[] }>({
    id: 'tag',
    label: 'Add tags…',
    scope: 'incidents:write',
    icon: <IconTag size={16} />,
    form: ({ submit, cancel }) => (
      <TagForm onCancel={cancel} onSubmit={(tags) => submit({ add_tags: tags })} />
    ),
    run: (client, { input, ...change }) => changeIncidents(client, change, input),
    done: { one: 'incident tagged', many: 'incidents tagged' },
    undo: undoIncidents,
  }),
  bulkAction<Incident>({
    id: 'hold',
    label: 'Put on hold',
    scope: 'incidents:write',
    icon: <IconPlayerPause size={16} />,
    appliesTo: canMoveTo('on_hold'),
    run: (client, change) => changeIncidents(client, change, { status: 'on_hold' }),
    done: { one: 'incident put on hold', many: 'incidents put on hold' },
  }),
];
