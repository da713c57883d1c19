import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { type NoticeRecord, TITLES, toPlainText, toShortTime } from '../notice.ts';

/** A notice as people read it. */
export interface WrittenNotice {
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** The page of the console. */
  readonly link: string;
}

const TO_DO: Readonly<Record<NoticeRecord['cause'], string>> = {
  incident_opened: 'Open the incident, assign it to yourself, and follow its guidance.',
  incident_resolved: 'Nothing, unless you disagree: an incident can be opened again.',
  protection_degraded: 'Open the overview. It names each reason; remove them one by one.',
  protection_restored: 'Nothing.',
  digest: 'Open the list of incidents, the most severe first.',
  test: 'Nothing. The channel works.',
};

/** Writes a notice in plain text. Names of hosts in it are written so that no program makes links of them. */
export function writeNotice(
  notice: NoticeRecord,
  about: { tenantId: TenantId; tenantName: string; consoleUrl: string },
): WrittenNotice {
  const { cause, severity, message, happenedAtMs } = notice;
  const { tenantId, tenantName } = about;
  const link = linkOf(notice, about);
  const what = withoutLinks(message);
  const title = TITLES[cause];
  const level = cause === 'test' ? '' : `[${severity}] `;
  const [firstLine = ''] = what.split('\n', 1);
  const subject = `${title}: ${firstLine.replace(/:$/, '')}`;
  const text = [
    cause === 'digest' ? what : `${title}: ${what}`,
    '',
    ...(cause === 'test' ? [] : [`Severity: ${severity}`]),
    `Since: ${toShortTime(happenedAtMs)}`,
    `Tenant: ${withoutLinks(toPlainText(tenantName))} (${tenantId})`,
    `What to do: ${TO_DO[cause]}`,
    '',
    link,
    '',
    `This notice has the id ${notice.noticeId}. Administrators change where notices go: tps notices channels list.`,
    '',
  ].join('\n');
  return { subject: `${level}${subject}`, text, link };
}

/**
 * The body of a message to Slack, or to a program that reads Markdown, such as Mattermost. Only the link of the notice is
 * a link, and nothing is a mention.
 */
export function toSlackBody({ text, link }: Pick<WrittenNotice, 'text'> & { link?: string }): string {
  const parts = link === undefined ? [text] : text.split(link);
  // https://api.slack.com/reference/surfaces/formatting#escaping, which Markdown reads as well
  const escaped = parts
    .map(withoutMarkdown)
    .join(link)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return JSON.stringify({ text: escaped, mrkdwn: false, unfurl_links: false, unfurl_media: false });
}

/**
 * Breaks `[text](target)`, `[text][name]`, `@name`, `#tag` and `~channel` with a zero-width space. Slack would show the
 * backslashes with which Markdown is escaped.
 */
function withoutMarkdown(text: string): string {
  return text.replace(/[@#~]|\](?=[([])/g, '$&\u200b');
}

/** The body of a post to a webhook: the notice for programs, and the text for people. */
export function toWebhookBody(
  notice: NoticeRecord,
  { subject, text, link }: WrittenNotice,
  tenantId: TenantId,
): string {
  return JSON.stringify({
    type: 'notice',
    notice_id: notice.noticeId,
    tenant_id: tenantId,
    channel_id: notice.channelId,
    cause: notice.cause,
    severity: notice.severity,
    resource_id: notice.resourceId,
    message: notice.message,
    happened_at: toTimestamp(notice.happenedAtMs),
    subject,
    text,
    link,
  });
}

function linkOf(
  { cause, resourceId }: NoticeRecord,
  { tenantId, consoleUrl }: { tenantId: TenantId; consoleUrl: string },
): string {
  const start = `${consoleUrl}/${tenantId}`;
  if (resourceId !== null) return `${start}/incidents/${encodeURIComponent(resourceId)}`;
  return cause === 'digest' || cause === 'incident_opened' ? `${start}/incidents?sort=severity` : start;
}

/** `evil.example/x` becomes `evil[.]example/x`, as analysts write it: devices choose some of these texts. */
function withoutLinks(text: string): string {
  return text
    .replaceAll('://', '[:]//')
    .replace(/(?<=[\p{L}\p{M}\p{N}_-])\.(?=[\p{L}\p{M}\p{N}_-]*\p{L})/gu, '[.]');
}
