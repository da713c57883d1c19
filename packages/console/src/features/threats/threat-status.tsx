import type { Threat } from '@tps/client';
import { StatusBadge } from '../../kit/index.ts';

/** An active device is good; an active threat is not. */
export function ThreatStatus({ value }: { readonly value: Threat['status'] }) {
  return <StatusBadge value={value} {...(value === 'active' && { tone: 'warning' })} />;
}
