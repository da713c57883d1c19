import { Skeleton } from '@mantine/core';
import { IconDeviceTv } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ProtectionStatus } from '@tps/client';
import { ErrorState, PageLayout, PageLink, QueryState } from '../../kit/index.ts';
import { useClient, useSession } from '../../session/index.ts';
import { EventCharts } from './event-charts.tsx';
import { Figures } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import classes from './overview-page.module.css';
import { countsQuery, statusQuery } from './overview-queries.ts';
import { type OverviewRange, RANGE_NAMES, RANGES, toRange } from './overview-range.ts';
import { StatusBanner } from './status-banner.tsx';

/** How the tenant is, what needs a person, and what happened. `?kiosk=1` is for a screen on a wall. */
export function OverviewPage() {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>;
  const isKiosk = search.kiosk === '1';
  const range = toRange(search.range);
  const client = useClient();
  const { tenant } = useSession();
  const status = useQuery(statusQuery(client));
  const counts = useQuery(countsQuery(client, range));
  return (
    <div className={isKiosk ? classes.kiosk : undefined}>
      <PageLayout
        title={isKiosk ? tenant.name : 'Overview'}
        actions={isKiosk ? undefined : <Controls range={range} search={search} />}
      >
        <QueryState query={status}>
          {(value) => (
            <>
              <StatusBanner status={value} />
              {!isKiosk && <FirstSteps status={value} />}
              {isNew(value) ? (
                <p className={classes.quiet}>Figures and charts appear here with the first event.</p>
              ) : (
                <>
                  <NeedsAttention status={value} />
                  <Figures status={value} counts={counts.data?.counts} />
                  <Charts range={range} />
                </>
              )}
            </>
          )}
        </QueryState>
      </PageLayout>
    </div>
  );
}

/** Without a device and an event there is nothing to count: the first steps say what to do. */
function isNew({ devices, events }: ProtectionStatus): boolean {
  return devices.total === 0 && events.last_event_at === null;
}

function Charts({ range }: { readonly range: OverviewRange }) {
  const { data, isError, error, refetch } = useQuery(countsQuery(useClient(), range));
  if (data) return <EventCharts counts={data.counts} words={RANGES[data.range].words} />;
  if (isError) return <ErrorState error={error} retry={() => refetch()} />;
  return <Skeleton height={240} aria-label="Loading charts" />;
}

/** The range is part of the address, so that each choice is a link. */
function Controls({
  range,
  search,
}: {
  readonly range: OverviewRange;
  readonly search: Readonly<Record<string, string>>;
}) {
  return (
    <>
      <nav className={classes.ranges} aria-label="Range of the charts">
        {RANGE_NAMES.map((name) => (
          <PageLink
            key={name}
            to="/"
            search={{ ...search, range: name }}
            className={classes.range}
            data-chosen={name === range}
            aria-current={name === range}
          >
            {RANGES[name].label}
          </PageLink>
        ))}
      </nav>
      <PageLink to="/" search={{ ...search, kiosk: '1' }} className={classes.wall}>
        <IconDeviceTv size={14} aria-hidden="true" />
        Wall display
      </PageLink>
    </>
  );
}
