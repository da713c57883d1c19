import type { Webhook } from '@tps/client';
import type { Tone } from '../../kit/index.ts';

const REASONS: Readonly<Record<NonNullable<Webhook['disabled_reason']>, string>> = {
  requested:
    'Paused by a person. Events are not sent; after the pause, you can deliver those that were missed.',
  gone: 'Paused because the receiver responded with 410 (Gone).',
  failing: 'Paused because no delivery succeeded for 5 days. Repair the receiver, then resume.',
  owner_left:
    'Paused because its owner has lost access. Check its URL, then resume it: you become its owner.',
  secret_lost: 'Paused because its signing secret is lost. Rotate the secret to resume.',
};

/** Why a webhook is paused; undefined if it is not. */
export function whyPaused({ disabled_reason: reason }: Webhook): string | undefined {
  return reason === null ? undefined : REASONS[reason];
}

/** The state of a webhook in a word, and what it means to the reader. */
export function stateOf({ status, disabled_reason: reason, circuit, last_delivery_status: last }: Webhook): {
  readonly value: string;
  readonly tone: Tone;
} {
  if (status === 'disabled') {
    return reason === 'requested'
      ? { value: 'paused', tone: 'paused' }
      : { value: reason ?? 'paused', tone: 'bad' };
  }
  if (circuit === 'open') return { value: 'not_responding', tone: 'bad' };
  if (circuit === 'half_open') return { value: 'recovering', tone: 'warning' };
  if (last === 'failed') return { value: 'failing', tone: 'bad' };
  return last === 'retrying' ? { value: 'retrying', tone: 'warning' } : { value: 'active', tone: 'good' };
}

export function severitiesText({ severity_filter: severities }: Webhook): string {
  return severities === null ? 'all' : severities.join(', ');
}
