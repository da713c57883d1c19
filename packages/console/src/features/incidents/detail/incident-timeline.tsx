import { Button } from '@mantine/core';
import {
  IconArrowsExchange,
  IconBell,
  IconCirclePlus,
  IconEdit,
  IconMessage,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Incident } from '@tps/client';
import { useState } from 'react';
import { IdLink, LinkedText, TimeValue, toCount } from '../../../kit/index.ts';
import classes from './incident-timeline.module.css';
import { type TimelineItem, toTimelineItems } from './timeline-items.ts';

const MARKS: Readonly<Record<Incident['timeline'][number]['kind'] | 'comment', TablerIcon>> = {
  opened: IconCirclePlus,
  alert_joined: IconBell,
  correction: IconArrowsExchange,
  changed: IconEdit,
  comment: IconMessage,
};

/** What happened to an incident and who did it, the newest at the top. */
export function IncidentTimeline({ incident }: { readonly incident: Incident }) {
  return (
    <ol className={classes.timeline} aria-label="Timeline">
      {toTimelineItems(incident.timeline).map((item) => (
        <Entry key={item.key} item={item} />
      ))}
    </ol>
  );
}

function Entry({ item }: { readonly item: TimelineItem }) {
  const Mark = MARKS[item.isComment ? 'comment' : item.kind];
  return (
    <li className={classes.entry}>
      <Mark size={16} className={classes.mark} aria-hidden="true" />
      <div className={classes.content}>
        <div className={classes.head}>
          <strong>
            <Actor item={item} />
          </strong>
          <TimeValue value={item.at} />
        </div>
        {item.joined.length > 1 ? (
          <Joined texts={item.joined} />
        ) : (
          item.text !== '' && (
            <div>
              <LinkedText text={item.text} />
            </div>
          )
        )}
        {item.comment !== null && <blockquote className={classes.comment}>{item.comment}</blockquote>}
      </div>
    </li>
  );
}

function Actor({ item }: { readonly item: TimelineItem }) {
  if (item.actor === 'service') return 'Service';
  if (item.actorName === null) return <IdLink id={item.actor} />;
  return <bdi>{item.actorName}</bdi>;
}

function Joined({ texts }: { readonly texts: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {toCount(texts.length, { one: 'alert joined', many: 'alerts joined' })}
      </Button>
      {isOpen && (
        <ul className={classes.joined}>
          {texts.map((text) => (
            <li key={text}>
              <LinkedText text={text} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
