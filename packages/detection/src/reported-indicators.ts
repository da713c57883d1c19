import { createHash } from 'node:crypto';
import type { AppContent, Content } from './content.ts';
import { redactText } from './redaction/redact-text.ts';

/** More links than a message has; what comes after is not reported. */
const MOST = 200;
const HASHED_URL = /url:sha256:[0-9a-f]{64}/g;

/**
 * Gives what content holds in the forms in which devices report it in events: `url:sha256:…` for links as redaction writes
 * them, `sha256:…` for files, `pkg:…` and `cert:sha256:…` for apps, `sender-domain:…` for mail. Nothing personal is in it.
 */
export function reportedIndicators(content: Content): string[] {
  return [...new Set([...ofContent(content), ...ofSender(content)])].slice(0, MOST);
}

function ofContent(content: Content): readonly string[] {
  switch (content.type) {
    case 'url':
      return [`url:sha256:${sha256(content.url.trim())}`];
    case 'text':
      return redactText(content.text).match(HASHED_URL) ?? [];
    case 'app':
      return ofApp(content);
    default:
      return [`sha256:${sha256(content.bytes)}`];
  }
}

function ofApp({ packageName, sha256: file, certificateSha256 }: AppContent): string[] {
  return [
    `pkg:${packageName}`,
    ...(file ? [`sha256:${file.toLowerCase()}`] : []),
    ...(certificateSha256 ? [`cert:sha256:${certificateSha256.toLowerCase()}`] : []),
  ];
}

function ofSender({ context }: Content): string[] {
  const domain = context?.sender?.split('@')[1]?.toLowerCase();
  return domain ? [`sender-domain:${domain}`] : [];
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
