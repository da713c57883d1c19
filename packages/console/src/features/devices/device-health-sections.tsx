import { Text } from '@mantine/core';
import type { DeviceHealth } from '@tps/client';
import {
  CHAIN_TONES,
  CopyButton,
  Facts,
  IdLink,
  IdList,
  keyText,
  PageLink,
  Section,
  StatusBadge,
  TimeValue,
  toWords,
} from '../../kit/index.ts';
import classes from './device-health.module.css';

interface HealthProps {
  readonly health: DeviceHealth;
}

/** What is wrong with a device, in one or two words each. Nothing for a healthy one. */
export function HealthMarks({ health }: HealthProps) {
  return (
    <>
      {health.silent && <StatusBadge value="silent" tone="warning" />}
      {health.failing_signatures && <StatusBadge value="invalid signatures" tone="bad" />}
      {breaksOf(health).map((state) => (
        <StatusBadge key={state} value={`${CHAIN_WORDS[state]} in its chain`} tone={CHAIN_TONES[state]} />
      ))}
    </>
  );
}

type ChainState = DeviceHealth['recent']['chain_states'][number]['state'];

const CHAIN_WORDS: Readonly<Record<ChainState, string>> = {
  linked: 'link',
  unchained: 'no position',
  declared_gap: 'declared gap',
  reset: 'new chain',
  gap: 'gap',
  fork: 'fork',
};

function breaksOf({ recent }: DeviceHealth): ChainState[] {
  const states = recent.chain_states.map(({ state }) => state);
  return states.filter((state) => state === 'gap' || state === 'fork');
}

/** How a device is doing. */
export function DeviceHealthSections({ health }: HealthProps) {
  const { last_seen: lastSeen, silent_after_hours: hours, recent, incidents } = health;
  const search = { device_id: health.device_id };
  return (
    <>
      <Section title="Health">
        <Facts
          items={[
            { label: 'Last seen', value: <TimeValue value={lastSeen} absent="Never" /> },
            {
              label: 'Contact',
              value: health.silent ? `Silent: nothing for ${hours} hours` : 'Not silent',
            },
            {
              label: 'Signatures',
              value: health.failing_signatures ? 'Requests in its name had invalid signatures' : 'Valid',
            },
            { label: 'Open incidents', value: incidents.length > 0 && <IdList ids={incidents} /> },
            {
              label: 'Events',
              value: (
                <span className={classes.pair}>
                  {recent.events.toLocaleString()}
                  {!recent.complete && ' among the newest 20,000'}
                  <PageLink to="/events" search={search}>
                    Show events
                  </PageLink>
                </span>
              ),
            },
          ].filter(({ value }) => value !== false)}
        />
      </Section>
      <KeySection health={health} />
      <ChainSection health={health} />
    </>
  );
}

function KeySection({ health: { key } }: HealthProps) {
  return (
    <Section title="Key">
      {key === null ? (
        <Text size="sm">The service no longer accepts this type of key. Enrol the device again.</Text>
      ) : (
        <Facts
          items={[
            { label: 'Type', value: keyText(key) },
            { label: 'Fingerprint', value: <Hash value={key.fingerprint} /> },
            {
              label: 'Replaced',
              value: key.replaced_at && <TimeValue value={key.replaced_at} format="full" />,
            },
          ]}
        />
      )}
    </Section>
  );
}

function ChainSection({ health: { chain, recent } }: HealthProps) {
  const { sequence, last_event_hash: hash } = chain;
  return (
    <Section title="Device chain">
      {sequence === null && hash === null && (
        <Text size="sm" c="dimmed">
          The device has sent no event yet.
        </Text>
      )}
      <Facts
        items={[
          { label: 'Last number', value: sequence?.toLocaleString() },
          { label: 'Last event hash', value: hash && <Hash value={hash} /> },
          ...recent.chain_states.map(({ state, count, last_event_id: id, last_received_at: at }) => ({
            label: toWords(state),
            value: (
              <span className={classes.pair}>
                <StatusBadge value={count.toLocaleString()} tone={CHAIN_TONES[state]} />
                <span>
                  last <TimeValue value={at} />: <IdLink id={id} />
                </span>
              </span>
            ),
          })),
        ]}
      />
    </Section>
  );
}

/** All of a hash: people compare it with what the device shows. */
function Hash({ value }: { readonly value: string }) {
  return (
    <span className={classes.pair}>
      <code className={classes.hash}>{value}</code>
      <CopyButton value={value} label="Copy the hash" />
    </span>
  );
}
