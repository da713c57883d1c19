import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type NoticeRecord, newDigest, newNotice } from '../notice.ts';
import { toSlackBody, toWebhookBody, writeNotice } from './write-notice.ts';

const NOW_MS = Date.parse('2026-03-02T09:15:04Z');
const ABOUT = {
  tenantId: 'tnt_1' as TenantId,
  tenantName: 'Acme',
  consoleUrl: 'https://tps.example.com/console',
};

function notice(message: string, members: Partial<NoticeRecord> = {}): NoticeRecord {
  return {
    ...newNotice({
      ...{ noticeId: 'ntc_1', channelId: 'nch_1', cause: 'incident_opened', causeKey: 'k', severity: 'high' },
      ...{ resourceId: 'inc_1', message, happenedAtMs: NOW_MS, nowMs: NOW_MS },
    }),
    ...members,
  };
}

test('a notice says what happened, since when, what to do, and where', () => {
  const { subject, text } = writeNotice(notice('Phishing on device dev_pixel-7'), ABOUT);
  expect(subject).toBe('[high] Incident opened: Phishing on device dev_pixel-7');
  expect(text).toContain('Incident opened: Phishing on device dev_pixel-7');
  expect(text).toContain('Since: 2026-03-02 09:15:04 UTC');
  expect(text).toContain('Tenant: Acme (tnt_1)');
  expect(text).toContain('What to do: Open the incident');
  expect(text).toContain('\nhttps://tps.example.com/console/tnt_1/incidents/inc_1\n');
});

test('what a device has chosen stays one line, without invisible characters', () => {
  const { subject, text } = writeNotice(
    notice('Indicator a\r\nBcc: eve@x\u202e\u200b\u0000 seen\u2028on'),
    ABOUT,
  );
  expect(subject).toBe('[high] Incident opened: Indicator a Bcc: eve@x seen on');
  expect(text.split('\n')).toContain('Incident opened: Indicator a Bcc: eve@x seen on');
  expect(notice('x'.repeat(9000)).message).toHaveLength(500);
});

test('a host that a device has chosen does not become a link', () => {
  const { subject, text } = writeNotice(
    notice('Indicator https://evil.example/x and www.evil.example'),
    ABOUT,
  );
  expect(subject).toContain('https[:]//evil[.]example/x and www[.]evil[.]example');
  expect(text).not.toContain('evil.example');
  expect(text).toContain('https://tps.example.com/console');
});

test('Slack gets no markup, mention or link from a device', () => {
  const written = writeNotice(notice('<!channel> <https://evil.example|click> & *bold* &lt;'), ABOUT);
  const body = JSON.parse(toSlackBody(written)) as { text: string; mrkdwn: boolean };
  expect(body.text).toContain(
    '&lt;!channel&gt; &lt;https[:]//evil[.]example|click&gt; &amp; *bold* &amp;lt;',
  );
  expect(body.text).not.toMatch(/[<>]/);
  expect(body.mrkdwn).toBe(false);
});

test('Mattermost makes no link and no mention of what a device names', () => {
  const message =
    '[x](http://evil) ![y](//192.0.2.9/z.png) [a][b] @all @channel #tag ~town-square <@all> e\u0301.example';
  const consoleUrl = 'https://[::1]:8443/~tps/console';
  const written = writeNotice(notice(message), { ...ABOUT, consoleUrl, tenantName: '[t](x)\n[t]: y' });
  const { text } = JSON.parse(toSlackBody(written)) as { text: string };
  expect(text).not.toMatch(/\]\(|\]\[|[@#][a-z]|~town|^\[/m);
  expect(text).toContain('e\u0301[.]example');
  // The link of the notice is the only one.
  expect(text.match(/https?:\/\/\S+/g)).toEqual([`${consoleUrl}/tnt_1/incidents/inc_1`]);
});

test('texts that devices make long fit into a message', () => {
  const many = Array.from({ length: 50 }, (_, at) => notice('&'.repeat(9000), { noticeId: `ntc_${at}` }));
  const [first, ...others] = many;
  if (!first) throw new Error('no notice');
  const digest = newDigest([first, ...others], { noticeId: 'ntc_d', nowMs: NOW_MS });
  const { text } = JSON.parse(toSlackBody(writeNotice(digest, ABOUT))) as { text: string };
  expect(text.length).toBeLessThan(40_000);
  expect(text).toMatch(/- and \d+ more/);
  expect(notice(`${'x'.repeat(498)}😀😀`).message).toBe(`${'x'.repeat(498)}…`);
});

test('a long message is cut between words, so that no part of a name is left', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `dev_${String(at).padStart(26, '0')}`);
  const first = notice(`Silent: ${ids.join(' ')}`);
  const digest = newDigest([first, notice('two')], { noticeId: 'ntc_d', nowMs: NOW_MS });
  for (const { message } of [first, digest]) {
    const named = message.match(/dev_\w*/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !ids.includes(name))).toEqual([]);
  }
});

test('a webhook gets the notice for programs too', () => {
  const one = notice('Phishing on device dev_1');
  const body: unknown = JSON.parse(toWebhookBody(one, writeNotice(one, ABOUT), ABOUT.tenantId));
  expect(body).toMatchObject({
    ...{ type: 'notice', notice_id: 'ntc_1', tenant_id: 'tnt_1', cause: 'incident_opened', severity: 'high' },
    ...{ resource_id: 'inc_1', message: 'Phishing on device dev_1', happened_at: '2026-03-02T09:15:04.000Z' },
  });
});

test('a digest has a line per notice, counts what is too much, and has the severity of the first', () => {
  const first = notice('number 0', { severity: 'critical' });
  const others = Array.from({ length: 59 }, (_, at) =>
    notice(`number ${at + 1}`, { noticeId: `ntc_${at}`, happenedAtMs: NOW_MS - (at === 58 ? 1000 : 0) }),
  );
  const digest = newDigest([first, ...others], { noticeId: 'ntc_d', nowMs: NOW_MS });
  expect(digest).toMatchObject({ cause: 'digest', severity: 'critical', resourceId: null });
  const { subject, text, link } = writeNotice(digest, ABOUT);
  expect(subject).toBe('[critical] Summary of notices: 60 notices since 2026-03-02 09:15:03 UTC');
  expect(text).toContain('- 2026-03-02 09:15:04 UTC [critical] Incident opened: number 0\n');
  expect(text).toContain('- and 10 more');
  expect(link).toBe('https://tps.example.com/console/tnt_1/incidents?sort=severity');
});
