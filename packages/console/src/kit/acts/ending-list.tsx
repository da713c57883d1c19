import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdoptedHoldings, Holding } from '@tps/client';
import { describeHolding } from '@tps/contract/vocabulary';
import { useCan, useClient } from '../../session/index.ts';
import { ErrorState } from '../states/error-state.tsx';
import { useAct } from './use-act.ts';

interface EndingListProps {
  /** The member or client that ends. */
  readonly root: { readonly owner_id: string } | { readonly client_id: string };
}

/** Lists what ends with a member or a client, with a button to adopt what others use. */
export function EndingList({ root }: EndingListProps) {
  const client = useClient();
  const can = useCan();
  const query = useQuery({
    queryKey: ['holdings', root],
    queryFn: ({ signal }) => client.holdings.list({ ...root, limit: 100, signal }).page(),
    enabled: can('members:read'),
  });
  const adopt = useAct<readonly Holding[], AdoptedHoldings>({
    run: (api, holdings) => api.holdings.adopt({ items: holdings.map(({ kind, id }) => ({ kind, id })) }),
    changes: [['holdings']],
    done: 'Adopted',
    showsError: true,
  });
  if (query.isError) return <ErrorState error={query.error} retry={() => query.refetch()} />;
  if (!query.data || query.data.data.length === 0) return null;
  const { data: holdings, has_more: hasMore } = query.data;
  const adoptable = holdings.filter((holding) => holding.can_be_adopted);
  return (
    <Stack gap="xs">
      <Text size="sm">The following ends too:</Text>
      <List size="sm" withPadding>
        {holdings.map((holding) => (
          <List.Item key={`${holding.kind} ${holding.id}`}>
            <bdi>{describeHolding(holding)}</bdi>
          </List.Item>
        ))}
      </List>
      {holdings.some(isOpenToOwners) && (
        <Text size="sm">
          To keep an OAuth client, first replace its secret. To keep single sign-on, first save its settings.
        </Text>
      )}
      {hasMore && <Text size="sm">To list the rest, run tps holdings list.</Text>}
      {adoptable.length > 0 && can('members:write') && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={adopt.isPending}
            onClick={() => adopt.mutate(adoptable)}
          >
            Adopt what others use ({adoptable.length})
          </Button>
        </Group>
      )}
      {adopt.error && <ErrorState error={adopt.error} />}
    </Stack>
  );
}

/** Its owners know what opens it, so only the one who has replaced that can adopt it. */
function isOpenToOwners({ kind, can_be_adopted: canBeAdopted }: Holding): boolean {
  return !canBeAdopted && (kind === 'oauth_client' || kind === 'sign_on');
}
