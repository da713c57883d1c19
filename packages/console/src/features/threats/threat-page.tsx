import { useParams } from '@tanstack/react-router';
import { ThreatDetail } from './threat-detail.tsx';

export function ThreatPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <ThreatDetail id={id} />;
}
