import { Text } from '@mantine/core';
import type { EventContext } from '@tps/client';
import { REDACTION_MARKS } from '@tps/contract/vocabulary';
import {
  CHAIN_TONES,
  CopyButton,
  Facts,
  IdLink,
  IdList,
  keyText,
  Section,
  StatusBadge,
  TimeValue,
} from '../../kit/index.ts';
import classes from './event-detail.module.css';

interface ContextProps {
  readonly context: EventContext;
}

/** What followed from an event. */
export function Derived({ context: { event_id: id, derived, corrections } }: ContextProps) {
  const { threat_id: threat, alert_id: alert, incident_id: incident, deliveries } = derived;
  const isNothing = threat === null && alert === null && deliveries.length === 0;
  const { event_ids: corrected, effective_event_id: effective } = corrections;
  const isReplaced = effective !== id;
  return (
    <Section title="What followed">
      {isNothing && (
        <Text size="sm" c="dimmed">
          Nothing. An allowed event opens no alert and is sent to no webhook.
        </Text>
      )}
      <Facts
        items={[
          { label: 'Threat', value: threat && <IdLink id={threat} /> },
          { label: 'Alert', value: alert && <IdLink id={alert} /> },
          { label: 'Incident', value: incident && <IdLink id={incident} /> },
          { label: 'Corrections', value: corrected.length > 0 && <IdList ids={corrected} /> },
          { label: 'Corrected by', value: isReplaced && <IdLink id={effective} /> },
          ...deliveries.map(({ webhook_id: webhook, delivery_id: delivery, status }) => ({
            label: `Delivery ${delivery.slice(-6)}`,
            value: (
              <span className={classes.pair}>
                <StatusBadge value={status} /> <IdLink id={webhook} />
              </span>
            ),
          })),
        ].filter(({ value }) => value !== false)}
      />
    </Section>
  );
}

const CHAIN_WORDS: Readonly<Record<EventContext['device_chain']['state'], string>> = {
  linked: 'It follows the previous event of the device.',
  unchained: 'The device declares no position for it in the chain.',
  declared_gap: 'The device says that events before it are lost.',
  reset: 'The device started a new chain.',
  gap: 'It names a previous event that never arrived.',
  fork: 'Another event has the same position.',
};

/** What proves that the event is genuine and in its place. */
export function Proofs({ context }: ContextProps) {
  const { feed_chain: feed, device_chain: chain, signature, redaction } = context;
  const { device_key: key, key_replaced: isReplaced } = signature;
  return (
    <>
      <Section title="Signature">
        <Text size="sm" mb="xs">
          Verified before the event was stored.
          {isReplaced === true &&
            ' The device has since replaced its key. The event was signed with an earlier one.'}
        </Text>
        <Facts
          items={[
            { label: 'Signed body', value: <Hash value={signature.body_digest} /> },
            { label: 'Current key', value: key && keyText(key) },
            { label: 'Fingerprint', value: key && <Hash value={key.fingerprint} /> },
            { label: 'Key replaced', value: key?.replaced_at && <TimeValue value={key.replaced_at} /> },
            {
              label: 'Redacted',
              value: redaction.map(({ mark, count }) => `${count} × ${MARK_WORDS[mark] ?? mark}`).join(', '),
            },
          ]}
        />
      </Section>
      <Section title="Chains">
        <Facts
          items={[
            { label: 'Feed position', value: context.position.toLocaleString() },
            { label: 'Arrived', value: <TimeValue value={context.received_at} format="full" /> },
            { label: 'Event hash', value: <Hash value={feed.event_hash} /> },
            { label: 'Chain hash', value: <Hash value={feed.chain_hash} /> },
            {
              label: 'Previous hash',
              value:
                feed.previous_chain_hash === null ? (
                  'Deleted with its event'
                ) : (
                  <Hash value={feed.previous_chain_hash} />
                ),
            },
            {
              label: 'Device chain',
              value: (
                <span className={classes.pair}>
                  <StatusBadge value={chain.state} tone={CHAIN_TONES[chain.state]} />{' '}
                  {CHAIN_WORDS[chain.state]}
                </span>
              ),
            },
            { label: 'Number', value: chain.sequence?.toLocaleString() },
            {
              label: 'Declared previous',
              value: chain.previous_event_hash && <Hash value={chain.previous_event_hash} />,
            },
          ]}
        />
      </Section>
    </>
  );
}

/** What the marks of redaction stand for. */
const MARK_WORDS: Readonly<Record<string, string>> = {
  ...REDACTION_MARKS,
  'url:sha256:': 'link, kept as a hash',
};

/** The beginning of a hash: what people compare. All of it is copied. */
function Hash({ value }: { readonly value: string }) {
  return (
    <span className={classes.pair}>
      <code title={value}>{value.slice(0, 16)}…</code>
      <CopyButton value={value} label="Copy the hash" />
    </span>
  );
}
