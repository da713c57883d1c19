import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconPlugConnectedX } from '@tabler/icons-react';
import type { ProtectionStatus } from '@tps/client';
import { TimeValue } from '../../kit/index.ts';
import classes from './status-banner.module.css';

/** The answer to "how are we": its mark, its words, and the tone of the band. */
const STATES = {
  protected: { words: 'Protected', tone: 'good', Mark: IconCircleCheck },
  at_risk: { words: 'At risk', tone: 'warning', Mark: IconAlertTriangle },
  degraded: { words: 'Degraded', tone: 'warning', Mark: IconPlugConnectedX },
  unprotected: { words: 'Unprotected', tone: 'bad', Mark: IconCircleX },
} as const;

/** The first thing on the page: the status, and why. */
export function StatusBanner({ status }: { readonly status: ProtectionStatus }) {
  const { words, tone, Mark } = STATES[status.status];
  const lastEvent = status.events.last_event_at;
  return (
    <section className={classes.banner} data-tone={tone} aria-label="Protection status">
      <Mark className={classes.mark} stroke={1.75} aria-hidden="true" />
      <div className={classes.words}>
        <p className={classes.status}>{words}</p>
        {status.reasons.length > 0 ? (
          <ul className={classes.reasons}>
            {status.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        ) : (
          <p className={classes.reasons}>Nothing is wrong.</p>
        )}
      </div>
      <p className={classes.times}>
        Last event: <TimeValue value={lastEvent} absent="none yet" />
        <br />
        Checked: <TimeValue value={status.generated_at} />
      </p>
    </section>
  );
}
