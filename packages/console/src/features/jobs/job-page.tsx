import { useParams } from '@tanstack/react-router';
import { JobDetail } from './job-detail.tsx';

export function JobPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <JobDetail id={id} />;
}
