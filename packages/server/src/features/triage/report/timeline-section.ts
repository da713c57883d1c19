import type { RecommendationBasis } from '../triage-results.ts';
import { id, quoted, section, table, time, withIds } from './markdown.ts';
import { type Moment, timelineOf } from './timeline.ts';

const FIRST_SHOWN = 10;
const LAST_SHOWN = 30;

/** Shows the first and the newest entries; the timeline document has them all. */
export function timelineSection(basis: RecommendationBasis): string {
  const moments = timelineOf(basis);
  if (moments.length === 0) return section('Timeline', 'The case has no dated entries.');
  const isLong = moments.length > FIRST_SHOWN + LAST_SHOWN;
  const rows = isLong
    ? [
        ...moments.slice(0, FIRST_SHOWN).map(toRow),
        ['…', '', '', `${moments.length - FIRST_SHOWN - LAST_SHOWN} more, see the timeline document`],
        ...moments.slice(-LAST_SHOWN).map(toRow),
      ]
    : moments.map(toRow);
  return section('Timeline', table(['Time (UTC)', 'Id', 'Device', 'Entry'], rows));
}

function toRow({ atMs, id: momentId, deviceId, sentence, said }: Moment): string[] {
  return [
    time(atMs),
    id(momentId),
    deviceId === null ? '' : id(deviceId),
    `${withIds(sentence)}${said === null ? '' : `: ${quoted(said)}`}`,
  ];
}
