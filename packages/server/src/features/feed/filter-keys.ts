import type { Event } from '@tps/contract';
import { digestOf, type EventSubject, indicatorKeyOf } from './feed-event.ts';

/** 24 bits. Two texts rarely share a key; then the body decides. */
const DIGITS = 4;

/**
 * What the filters of the feed compare, in one short text: first the words of closed vocabularies, which no two of them
 * share, then the keys of texts. An event without the key of a text does not have the text; one with the key usually does.
 */
export function filterKeysOf(event: Event, { indicators, correlationKeys }: EventSubject): string {
  const { action_taken, severity, threat_category, policy_id, metadata } = event;
  const platform = metadata?.device_platform;
  const words = [action_taken, severity, threat_category, ...(platform === undefined ? [] : [platform])];
  // Without indicators, the correlation key is that of the policy.
  const texts = indicators.length === 0 ? [] : correlationKeys.map(toKey);
  return `${wordKeyOf(words.join(','))}${policyKeyOf(policy_id)}${texts.join('')}`;
}

export function wordKeyOf(word: string): string {
  return `,${word},`;
}

export function policyKeyOf(policyId: string): string {
  return toKey(digestOf('policy', policyId));
}

export function indicatorFilterKeyOf(indicator: string): string {
  return toKey(indicatorKeyOf(indicator));
}

function toKey(digest: string): string {
  return ` ${digest.slice(0, DIGITS)}`;
}
