import { useParams } from '@tanstack/react-router';
import { EventDetail } from './event-detail.tsx';

export function EventPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  return <EventDetail id={id} />;
}
