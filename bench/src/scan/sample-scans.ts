import type { NewScan } from '@tps/contract';

/** What can be scanned, and measured alone. */
export const SCAN_GROUPS = ['text', 'url', 'file'] as const;
export type ScanGroup = (typeof SCAN_GROUPS)[number];

const SENDERS = ['your bank', 'the parcel office', 'Alex', 'the school', 'the dentist', 'your manager'];
const MATTERS = [
  'your parcel is held until the fee of 1.99 is paid',
  'the meeting was moved to Thursday at ten in the large room',
  'a stranger signed in to your account, and it will be closed today',
  'we look forward to seeing you; bring the papers from last time',
];
const LINKS = [
  'https://track.example/a',
  'http://account-check.example/login',
  'https://www.example.org/menu',
];

/** Returns a scan of this kind, as long as a short message. Different numbers return different content. */
export function sampleScan(group: ScanGroup, number: number): NewScan {
  const link = `${LINKS[number % LINKS.length]}?id=${number}`;
  const text = `Hello from ${SENDERS[number % SENDERS.length]}: ${MATTERS[number % MATTERS.length]}. Number ${number}, see ${link}`;
  switch (group) {
    case 'text':
      return { type: 'text', content: text, context: { channel: 'sms' } };
    case 'url':
      return { type: 'url', content: link };
    case 'file':
      return {
        type: 'file',
        content_b64: Buffer.from(`<p>${text}</p>\n`.repeat(50)).toString('base64'),
        filename: 'page.html',
      };
  }
}
