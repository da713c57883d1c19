import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Notice } from '@tps/client';
import { IdLink, QueryState, Section, Severity, StatusBadge, TimeValue, toWords } from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import classes from './notices-section.module.css';

const SHOWN_NOTICES = 20;
/** While a notice is waiting or being sent. */
const UNDERWAY_POLL_MS = 2_000;
const POLL_MS = 30_000;

/** The latest notices of a channel, each with its outcome. */
export function NoticesSection({ channelId }: { readonly channelId: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['notice-channels', channelId, 'notices'],
    queryFn: ({ signal }) =>
      client.noticeChannels.notices({ channel_id: channelId, limit: SHOWN_NOTICES, signal }).page(),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ state: now }) => now === 'waiting' || now === 'sending')
        ? UNDERWAY_POLL_MS
        : POLL_MS,
  });
  return (
    <Section title="Latest notices">
      <QueryState query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing was sent in the last 30 days. Send a test to see whether it arrives.
            </Text>
          ) : (
            <ol className={classes.notices} aria-label="Latest notices">
              {data.map((notice) => (
                <NoticeLine key={notice.notice_id} notice={notice} />
              ))}
            </ol>
          )
        }
      </QueryState>
    </Section>
  );
}

function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { state, severity, cause, message, resource_id: incident, last_error: error } = notice;
  return (
    <li className={classes.notice}>
      <div className={classes.head}>
        <StatusBadge value={state} />
        <Severity value={severity} />
        <span>{toWords(cause)}</span>
        <span className={classes.time}>
          <TimeValue value={notice.sent_at ?? notice.created_at} />
        </span>
      </div>
      <bdi>{message}</bdi>
      {incident !== null && (
        <div>
          <IdLink id={incident} />
        </div>
      )}
      {error !== null && (
        <div className={classes.error}>
          {error}
          {notice.due_at !== null && (
            <>
              {' '}
              Next attempt: <TimeValue value={notice.due_at} format="full" />
            </>
          )}
        </div>
      )}
    </li>
  );
}
