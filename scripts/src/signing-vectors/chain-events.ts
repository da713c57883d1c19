import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ChainedEvent } from './vectors.ts';

/** What the cases share: the ids, and the time. */
type Common = Readonly<Record<'tenant_id' | 'device_id' | 'timestamp', string>>;

/** Events of one device in the order sent, with the state that the service records for each. */
export function chainEvents(common: Common): ChainedEvent[] {
  const events: ChainedEvent[] = [];
  const hashOf = (name: string) => events.find((each) => each.name === name)?.event_hash;
  const add = (name: string, state: string, members: Readonly<Record<string, unknown>>) => {
    const event = toEvent(common, events.length + 1, members);
    events.push({ name, event, event_hash: hash('sha256', canonicalize(event) ?? ''), state });
  };
  const unknown = 'f'.repeat(64);

  add('the first event of a device', 'linked', { sequence: 1 });
  add('an event that the service redacts: the hash is that of the event as sent', 'linked', {
    sequence: 2,
    previous_event_hash: hashOf('the first event of a device'),
    description: 'Sent by anna@mail.example from 192.0.2.17',
    timestamp: '2026-01-01T01:00:00+01:00',
  });
  add('metadata in another order, with names and numbers of other spellings', 'linked', {
    sequence: 3,
    previous_event_hash: events.at(-1)?.event_hash,
    metadata: {
      z: 1,
      a: { '10': 1e-7, '9': -0, '\ud83d\ude00': 'é', '\ufb33': 'e\u0301', '\n': [0.1, 100] },
    },
  });
  add('events 4 and 5 were dropped: no hash, which declares the gap', 'declared_gap', { sequence: 6 });
  add('event 7 is missing although its hash is named', 'gap', { sequence: 8, previous_event_hash: unknown });
  add('a second event with the number 8', 'fork', { sequence: 8, previous_event_hash: unknown });
  add('the next number with another hash', 'fork', { sequence: 9, previous_event_hash: unknown });
  add('after a fork the chain continues from the event before it', 'linked', {
    sequence: 9,
    previous_event_hash: hashOf('event 7 is missing although its hash is named'),
  });
  add('a device that lost its state begins again', 'reset', { sequence: 1 });
  add('an event without both members', 'unchained', {});
  return events;
}

function toEvent(common: Common, number: number, members: Readonly<Record<string, unknown>>) {
  return {
    event_id: `evt_vectors-chain-${number}`,
    type: 'risk.event.created',
    ...common,
    threat_category: 'phishing',
    confidence: 1,
    action_taken: 'block',
    policy_id: 'pol_example',
    severity: 'medium',
    ...members,
  };
}
