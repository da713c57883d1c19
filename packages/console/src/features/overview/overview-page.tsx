import { useQuery } from '@tanstack/react-query';
import { PageLayout, QueryState } from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import { statusQuery } from './overview-queries.ts';

export function OverviewPage() {
  const client = useClient();
  const status = useQuery(statusQuery(client));
  return (
    <PageLayout title="Overview">
      <QueryState query={status}>{(value) => <p>{value.status}</p>}</QueryState>
    </PageLayout>
  );
}
