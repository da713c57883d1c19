import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ThreatIndicator } from '@tps/client';
import {
  CopyButton,
  Facts,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
  toPercent,
  toWords,
} from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import classes from './indicator-detail.module.css';
import { fromRowId, validityOf } from './indicator-id.ts';

/** One value, with what each source says about it. */
export function IndicatorDetail({ id }: { readonly id: string }) {
  const client = useClient();
  const { type, value } = fromRowId(id);
  const query = useQuery({
    queryKey: ['indicators', 'value', type, value],
    queryFn: ({ signal }) => client.indicators.check({ indicators: [{ type, value }] }, { signal }),
  });
  return (
    <article aria-label={value} className={classes.detail}>
      <h2 className={classes.value}>
        <bdi>{value}</bdi> <CopyButton value={value} label="Copy the value" />
      </h2>
      <Text size="sm" c="dimmed">
        {toWords(type)}
      </Text>
      <QueryState query={query}>
        {({ results: [found] }) =>
          found === undefined || found.known.length === 0 ? (
            <Text size="sm">No source lists this value any more.</Text>
          ) : (
            found.known.map((indicator) => (
              <Statement key={`${indicator.scope} ${indicator.source}`} indicator={indicator} />
            ))
          )
        }
      </QueryState>
    </article>
  );
}

/** What one source says. */
function Statement({ indicator }: { readonly indicator: ThreatIndicator }) {
  const validity = validityOf(indicator);
  const tone = { current: 'good', upcoming: 'waiting', expired: 'ended' } as const;
  return (
    <Section
      title={indicator.scope === 'global' ? `${indicator.source} (all tenants)` : indicator.source}
      actions={<StatusBadge value={validity} tone={tone[validity]} />}
    >
      <Facts
        items={[
          { label: 'Category', value: toWords(indicator.category) },
          { label: 'Threat', value: toWords(indicator.threat_type) },
          { label: 'Confidence', value: toPercent(indicator.confidence) },
          { label: 'Belongs to', value: indicator.label && <bdi>{indicator.label}</bdi> },
          { label: 'Legitimate uses', value: indicator.dual_use ? 'Yes: a match alone only warns' : null },
          {
            label: 'Valid from',
            value: indicator.valid_from && <TimeValue value={indicator.valid_from} format="full" />,
          },
          {
            label: 'Expires',
            value: indicator.valid_until ? (
              <TimeValue value={indicator.valid_until} format="full" />
            ) : (
              'Never'
            ),
          },
        ]}
      />
    </Section>
  );
}
