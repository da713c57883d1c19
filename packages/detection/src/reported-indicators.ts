import { sha256Hex } from '#digest';
import type { AppContent, Content } from './content.ts';
import { parseUrl, registeredDomain } from './indicators/canonical-value.ts';
import { redactAddresses } from './redaction/redact-text.ts';

/** More links than a message has; further ones are not reported. */
const MAX_REPORTED_INDICATORS = 200;
const HASHED_URL = /url:sha256:[0-9a-f]{64}/g;

/**
 * Returns the indicators of content in the forms that devices report in events: `url:sha256:…` for links as
 * redaction writes them, `sha256:…` for files, `pkg:…` and `cert:sha256:…` for apps, `sender-domain:…` for
 * mail. They contain nothing else of the content.
 */
export function reportedIndicators(content: Content): string[] {
  return [...new Set([...ofContent(content), ...ofSender(content)])].slice(0, MAX_REPORTED_INDICATORS);
}

function ofContent(content: Content): readonly string[] {
  switch (content.type) {
    case 'url':
      return [`url:sha256:${sha256Hex(content.url.trim())}`];
    case 'text':
      return redactAddresses(content.text).match(HASHED_URL) ?? [];
    case 'app':
      return ofApp(content);
    default:
      return [`sha256:${sha256Hex(content.bytes)}`];
  }
}

function ofApp({ packageName, sha256: file, certificateSha256 }: AppContent): string[] {
  return [
    `pkg:${packageName}`,
    ...(file ? [`sha256:${file.toLowerCase()}`] : []),
    ...(certificateSha256 ? [`cert:sha256:${certificateSha256.toLowerCase()}`] : []),
  ];
}

/** The text after an `@` in a freely chosen name need not be a domain, and then must not leave the device. */
function ofSender({ context }: Content): string[] {
  const written = /@([^@\s<>]{1,255})>?\s*$/.exec(context?.sender?.slice(-512) ?? '')?.[1];
  const host = written === undefined ? undefined : parseUrl(written)?.host;
  return host !== undefined && registeredDomain(host) !== undefined ? [`sender-domain:${host}`] : [];
}
