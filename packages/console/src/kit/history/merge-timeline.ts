import type { AuditEntry } from '@tps/client';

/** An entry of the timeline that an object keeps itself, such as that of an incident. */
export interface TimelineEntry {
  readonly at: string;
  readonly kind: string;
  /** Id of the actor, or `service`. */
  readonly actor: string;
  readonly message: string;
}

/** One line of a history. */
export interface HistoryEntry {
  readonly key: string;
  readonly at: string;
  readonly actor: { readonly type: string; readonly id: string; readonly name?: string | undefined };
  /** What it happened to. */
  readonly object?: { readonly id: string; readonly name?: string };
  /** What happened, in words. */
  readonly text: string;
  /** `incident.update` */
  readonly action?: string;
  readonly isDenied: boolean;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Both are written by one transaction, with clocks that are read one after the other. */
const SAME_ACT_MS = 2_000;

/**
 * Joins the audit entries of an object with its timeline, newest first. An act that is in both is shown once, in the words of
 * the timeline. While older audit entries are not loaded, nothing older than the last one is shown: the order stays.
 */
export function mergeTimeline(
  audit: readonly AuditEntry[],
  timeline: readonly TimelineEntry[],
  { hasMore }: { hasMore: boolean },
): readonly HistoryEntry[] {
  const oldest = hasMore ? audit.at(-1)?.occurred_at : undefined;
  const shown = oldest === undefined ? timeline : timeline.filter(({ at }) => at >= oldest);
  const names = new Map(audit.map(({ actor }) => [actor.id, actor]));
  const entries = [
    ...audit.filter((entry) => !timeline.some((one) => isSameAct(entry, one))).map(ofAudit),
    ...shown.map(
      (entry, index): HistoryEntry => ({
        key: `${entry.at} ${index}`,
        at: entry.at,
        actor: names.get(entry.actor) ?? { type: typeOfId(entry.actor), id: entry.actor },
        text: entry.message,
        isDenied: false,
      }),
    ),
  ];
  return entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function ofAudit(entry: AuditEntry): HistoryEntry {
  return {
    key: entry.audit_id,
    at: entry.occurred_at,
    actor: entry.actor,
    object: entry.resource,
    text: entry.detail,
    action: entry.action,
    isDenied: entry.outcome === 'denied',
    fields: entry.fields,
  };
}

function isSameAct(entry: AuditEntry, one: TimelineEntry): boolean {
  const distanceMs = Math.abs(Date.parse(entry.occurred_at) - Date.parse(one.at));
  return entry.outcome === 'success' && entry.actor.id === one.actor && distanceMs <= SAME_ACT_MS;
}

function typeOfId(id: string): string {
  if (id === 'service' || id === 'command_line') return id;
  return id.startsWith('acc_') ? 'account' : id.startsWith('cli_') ? 'oauth_client' : 'token';
}
