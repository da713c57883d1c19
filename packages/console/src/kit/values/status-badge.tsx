import classes from './status-badge.module.css';
import { toWords } from './words.ts';

/** What a status means to the reader: its colour and its mark. */
export type Tone =
  | 'attention'
  | 'active'
  | 'waiting'
  | 'paused'
  | 'review'
  | 'good'
  | 'warning'
  | 'bad'
  | 'ended';

/** The statuses of all objects. A word means the same everywhere. */
const TONE_OF_STATUS: Readonly<Record<string, Tone>> = {
  open: 'attention',
  in_progress: 'active',
  running: 'active',
  sending: 'active',
  on_hold: 'paused',
  paused: 'paused',
  disabled: 'paused',
  queued: 'waiting',
  pending: 'waiting',
  scheduled: 'waiting',
  waiting_review: 'review',
  active: 'good',
  protected: 'good',
  online: 'good',
  resolved: 'good',
  succeeded: 'good',
  success: 'good',
  denied: 'bad',
  completed: 'good',
  approved: 'good',
  delivered: 'good',
  sent: 'good',
  in_digest: 'good',
  allow: 'good',
  at_risk: 'warning',
  degraded: 'warning',
  stale: 'warning',
  retrying: 'warning',
  warn: 'warning',
  failed: 'bad',
  dead: 'bad',
  unprotected: 'bad',
  offline: 'bad',
  block: 'bad',
  closed: 'ended',
  dismissed: 'ended',
  revoked: 'ended',
  rejected: 'ended',
  cancelled: 'ended',
  expired: 'ended',
};

interface StatusBadgeProps {
  readonly value: string;
  /** Default: what the word means everywhere. */
  readonly tone?: Tone;
}

/** A status: a mark, the word, and a colour. */
export function StatusBadge({ value, tone = TONE_OF_STATUS[value] ?? 'waiting' }: StatusBadgeProps) {
  return (
    <span className={classes.status} data-tone={tone}>
      {toWords(value)}
    </span>
  );
}
