import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { NewPolicySimulation } from '@tps/client';
import { useClient } from '../../session/index.ts';

const TYPING_PAUSE_MS = 350;
const HOUR_MS = 3_600_000;

/** The ranges of past events to choose from, in hours. `0` is all that is stored. */
export const RANGES = [
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
  { value: '0', label: 'All stored events' },
] as const;

/** Simulates while a person edits: after each pause, and never for a rule that decides nothing. */
export function useSimulation(simulation: NewPolicySimulation | undefined, rangeHours: number) {
  const client = useClient();
  const [settled] = useDebouncedValue(JSON.stringify(simulation ?? null), TYPING_PAUSE_MS);
  return useQuery({
    queryKey: ['policies', 'simulation', settled, rangeHours],
    queryFn: ({ signal }) => {
      const since = new Date(Date.now() - rangeHours * HOUR_MS).toISOString();
      const range = rangeHours === 0 ? {} : { received_since: since };
      return client.policies.simulate(
        { ...(JSON.parse(settled) as NewPolicySimulation), ...range },
        { signal },
      );
    },
    enabled: settled !== 'null',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
