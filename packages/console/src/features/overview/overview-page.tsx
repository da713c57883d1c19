import { useQuery } from '@tanstack/react-query';
import { PageLayout, QueryState } from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';

export function OverviewPage() {
  const client = useClient();
  const status = useQuery({ queryKey: ['status'], queryFn: ({ signal }) => client.status.get({ signal }) });
  return (
    <PageLayout title="Overview">
      <QueryState query={status}>{(value) => <p>{value.status}</p>}</QueryState>
    </PageLayout>
  );
}
