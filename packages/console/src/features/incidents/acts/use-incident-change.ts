import { useQueryClient } from '@tanstack/react-query';
import { type Client, ConflictError, type Incident, type IncidentChange } from '@tps/client';
import { useState } from 'react';
import { useAct } from '../../../kit/index.ts';
import { useSession } from '../../../session/index.ts';
import { INCIDENTS, incidentQuery } from '../incident-queries.ts';
import { hasMade, isCompatible, MergeConflictError } from './merge-conflict.ts';

/** Events may join while a change is on its way: then it is sent again for the newer version, at most this often. */
const MAX_ATTEMPTS = 5;

interface ChangeRequest {
  readonly change: IncidentChange;
  /** The version that the person has seen, where it is newer than the one on the page. */
  readonly on?: Incident;
}

/**
 * Changes an incident as the person has seen it. `conflict` is set when another person has changed the same meanwhile, and
 * `settle` clears it.
 */
export function useIncidentChange(
  incident: Incident,
  { done, onDone }: { done?: string; onDone?: () => void } = {},
) {
  const queries = useQueryClient();
  const { account } = useSession();
  const [conflict, setConflict] = useState<MergeConflictError>();
  const act = useAct<ChangeRequest, Incident>({
    run: (client, { change, on = incident }, { isRepeat }) =>
      send(client, change, { shown: on, ...(isRepeat && { by: account.id }) }),
    changes: [[INCIDENTS], ['alerts'], ['threats'], ['status']],
    ...(done !== undefined && { done }),
    showsError: true,
    onDone: (after) => {
      setConflict(undefined);
      queries.setQueryData(incidentQuery({} as Client, after.id).queryKey, after);
      onDone?.();
    },
  });
  const change = (wanted: IncidentChange, on?: Incident) =>
    act.mutate(
      { change: wanted, ...(on && { on }) },
      {
        onError: (error) => {
          if (error instanceof MergeConflictError) setConflict(error);
        },
      },
    );
  const settle = () => {
    setConflict(undefined);
    act.reset();
  };
  const retry = () => act.variables && change(act.variables.change, act.variables.on);
  const error = act.error instanceof MergeConflictError ? null : act.error;
  return { change, retry, conflict, settle, error, isPending: act.isPending };
}

export type IncidentChanger = ReturnType<typeof useIncidentChange>;

/** Sends a change. In a repeat, `by` is the person: their earlier try, whose answer was lost, may have made it. */
async function send(
  client: Client,
  wanted: IncidentChange,
  { shown, by }: { readonly shown: Incident; readonly by?: string },
): Promise<Incident> {
  let base = shown;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.incidents.update(shown.id, wanted, { ifMatch: `"${base.version}"` });
    } catch (error) {
      const isStale = error instanceof ConflictError && error.code === 'version_mismatch';
      if (!isStale || attempt === MAX_ATTEMPTS) throw error;
      base = await client.incidents.get(shown.id);
      if (by !== undefined && hasMade(wanted, { by, shown, current: base })) return base;
      if (!isCompatible(wanted, shown, base)) throw new MergeConflictError({ wanted, shown, current: base });
    }
  }
}
