import { useParams } from '@tanstack/react-router';
import { AlertDetail } from './alert-detail.tsx';

export function AlertPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  return <AlertDetail id={id} />;
}
