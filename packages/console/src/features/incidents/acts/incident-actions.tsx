import { Button, Group, Modal } from '@mantine/core';
import type { Incident } from '@tps/client';
import { useState } from 'react';
import { ErrorState, useShortcuts } from '../../../kit/index.ts';
import { useSession } from '../../../session/index.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { wordsOfMove } from './move-words.ts';
import { MoveForm } from './resolution-form.tsx';
import { useIncidentChange } from './use-incident-change.ts';

type Move = Incident['allowed_moves'][number];

/** The changes of status that are possible now, and taking the incident. */
export function IncidentActions({ incident }: { readonly incident: Incident }) {
  const { account } = useSession();
  const [asked, setAsked] = useState<Move>();
  const changer = useIncidentChange(incident, { done: 'Incident changed' });
  const { change, isPending } = changer;
  const isMine = incident.assignee === account.id;
  const isOpen = incident.status === 'open';
  const canTake = !isMine && incident.resolved_at === null && incident.status !== 'closed';
  const take = () => change({ assignee: 'me', ...(isOpen && { status: 'in_progress' }) });
  const start = (move: Move) => {
    if (move.requires === null) change({ status: move.status });
    else setAsked(move);
  };
  const main =
    incident.allowed_moves.find(({ status }) => status === 'resolved') ?? incident.allowed_moves[0];
  useShortcuts([
    ...(main
      ? [
          {
            keys: 'e',
            label: wordsOfMove(incident.status, main.status),
            group: 'Incident',
            run: () => start(main),
          },
        ]
      : []),
    ...(canTake ? [{ keys: 'a', label: 'Assign to me', group: 'Incident', run: take }] : []),
  ]);
  return (
    <Group gap="xs" role="group" aria-label="Actions">
      {main && <MoveButton incident={incident} move={main} isMain onStart={start} isDisabled={isPending} />}
      {canTake && (
        <Button variant="default" loading={isPending} onClick={take}>
          Assign to me
        </Button>
      )}
      {incident.allowed_moves
        .filter((move) => move !== main)
        .map((move) => (
          <MoveButton
            key={move.status}
            incident={incident}
            move={move}
            onStart={start}
            isDisabled={isPending}
          />
        ))}
      {asked === undefined && changer.error && <ErrorState error={changer.error} />}
      <Modal
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked && `${wordsOfMove(incident.status, asked.status)}: ${incident.message}`}
      >
        {asked && <AskedMove incident={incident} move={asked} onClose={() => setAsked(undefined)} />}
      </Modal>
      <MergeDialog changer={changer} />
    </Group>
  );
}

function MoveButton({
  incident,
  move,
  isMain = false,
  isDisabled,
  onStart,
}: {
  readonly incident: Incident;
  readonly move: Move;
  readonly isMain?: boolean;
  readonly isDisabled: boolean;
  readonly onStart: (move: Move) => void;
}) {
  return (
    <Button variant={isMain ? 'filled' : 'default'} disabled={isDisabled} onClick={() => onStart(move)}>
      {wordsOfMove(incident.status, move.status)}
      {move.requires === null ? '' : '…'}
    </Button>
  );
}

function AskedMove({
  incident,
  move,
  onClose,
}: {
  readonly incident: Incident;
  readonly move: Move;
  readonly onClose: () => void;
}) {
  const [clear, setClear] = useState<() => void>();
  const changer = useIncidentChange(incident, {
    done: 'Incident changed',
    onDone: () => {
      clear?.();
      onClose();
    },
  });
  return (
    <>
      <MoveForm
        draft={`incident-move:${incident.id}:${move.status}`}
        move={move}
        act={wordsOfMove(incident.status, move.status)}
        change={changer}
        onCancel={onClose}
        onSubmit={({ resolution, comment }, clearDraft) => {
          setClear(() => clearDraft);
          changer.change({
            status: move.status,
            ...(resolution !== undefined && { resolution }),
            ...(comment !== undefined && { comment }),
          });
        }}
      />
      <MergeDialog changer={changer} />
    </>
  );
}
