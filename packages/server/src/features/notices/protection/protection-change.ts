import type { ProtectionStatus } from '@tps/contract';
import type { NewCause } from '../enqueue-notices.ts';

/** The protection status of a tenant, as its channels know it. */
export interface ProtectionState {
  readonly status: ProtectionStatus['status'];
  readonly sinceMs: number;
  /** When a process last found the status degraded or unprotected; null if it is neither. */
  readonly faultSeenAtMs: number | null;
}

/**
 * How long no process may find a fault before the status counts as restored. Several processes look, and one of them can
 * have a fault that the others do not have.
 */
const RESTORED_AFTER_MS = 90_000;

/** Returns the next state, and what is reported about it. The same state again means that there is nothing to save. */
export function nextProtection(
  before: ProtectionState | undefined,
  { status, reasons }: Pick<ProtectionStatus, 'status' | 'reasons'>,
  nowMs: number,
): { state: ProtectionState; causes: NewCause[] } {
  const hadFault = before !== undefined && isFault(before.status);
  if (isFault(status)) {
    if (hadFault && before.status === status)
      return { state: { ...before, faultSeenAtMs: nowMs }, causes: [] };
    const state = { status, sinceMs: nowMs, faultSeenAtMs: nowMs };
    // A tenant that has no device yet has lost nothing.
    const isNew = before === undefined && status === 'unprotected';
    const message = `The protection status is ${status}: ${reasons.join('; ')}`;
    return { state, causes: isNew ? [] : [toCause('protection_degraded', { message, atMs: nowMs })] };
  }
  if (hadFault) {
    const seenAtMs = before.faultSeenAtMs ?? before.sinceMs;
    if (nowMs - seenAtMs < RESTORED_AFTER_MS) return { state: before, causes: [] };
    const message = `The protection status is ${status.replaceAll('_', ' ')} again`;
    const cause = toCause('protection_restored', { message, atMs: nowMs });
    return {
      state: { status, sinceMs: nowMs, faultSeenAtMs: null },
      causes: [{ ...cause, endsKey: keyOf('protection_degraded', before.sinceMs) }],
    };
  }
  if (before !== undefined) return { state: before, causes: [] };
  return { state: { status, sinceMs: nowMs, faultSeenAtMs: null }, causes: [] };
}

/** What stops the service from working, other than a threat, which is an incident. */
function isFault(status: ProtectionStatus['status']): boolean {
  return status === 'degraded' || status === 'unprotected';
}

function toCause(
  cause: 'protection_degraded' | 'protection_restored',
  { message, atMs }: { message: string; atMs: number },
): NewCause {
  const about = { severity: 'high', resourceId: null, message, happenedAtMs: atMs } as const;
  return { ...about, cause, key: keyOf(cause, atMs), isLaterNews: true };
}

function keyOf(cause: string, sinceMs: number): string {
  return `${cause} ${sinceMs}`;
}
