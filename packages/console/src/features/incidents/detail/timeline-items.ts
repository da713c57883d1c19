import type { Incident } from '@tps/client';

type Entry = Incident['timeline'][number];

/** One line of the timeline: an entry, or several alerts that joined one after the other. */
export interface TimelineItem {
  readonly key: string;
  readonly at: string;
  readonly kind: Entry['kind'];
  readonly actor: string;
  readonly actorName: string | null;
  /** Without the comment. */
  readonly text: string;
  readonly comment: string | null;
  /** Whether there is only a comment. */
  readonly isComment: boolean;
  /** The texts of all alerts, where several joined. */
  readonly joined: readonly string[];
}

/** Arranges the entries of an incident, newest first. Alerts that joined in a row become one item. */
export function toTimelineItems(timeline: readonly Entry[]): TimelineItem[] {
  const items: TimelineItem[] = [];
  for (const [index, entry] of timeline.entries()) {
    const last = items.at(-1);
    const isJoin = entry.kind === 'alert_joined';
    if (isJoin && last?.kind === 'alert_joined') {
      items[items.length - 1] = { ...last, at: entry.at, joined: [...last.joined, entry.message] };
    } else {
      items.push(toItem(entry, `${entry.at} ${index}`));
    }
  }
  return items.reverse();
}

/** The values of the API in a message. */
const STATED = /\b(?:in_progress|on_hold|true_positive|false_positive|benign_expected)\b/g;

function toItem({ at, kind, actor, actor_name, message, comment }: Entry, key: string): TimelineItem {
  const text = comment === null ? message : withoutComment(message, comment);
  return {
    key,
    at,
    kind,
    actor,
    actorName: actor_name,
    text: text.replace(STATED, (word) => word.replaceAll('_', ' ')),
    comment,
    isComment: comment !== null && text === '',
    joined: kind === 'alert_joined' ? [message] : [],
  };
}

/** The message ends with the comment, which is shown by itself. */
function withoutComment(message: string, comment: string): string {
  const end = `Comment: ${comment}`;
  return message.endsWith(end) ? message.slice(0, -end.length).replace(/; $/, '') : message;
}
