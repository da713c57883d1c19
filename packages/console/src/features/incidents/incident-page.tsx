import { useParams } from '@tanstack/react-router';
import { IncidentDetail } from './incident-detail.tsx';

export function IncidentPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <IncidentDetail id={id} />;
}
