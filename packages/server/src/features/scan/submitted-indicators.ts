import { createHash } from 'node:crypto';
import type { NewScan, ScanType } from '@tps/contract';
import { redactText } from '@tps/detection';
import { ServiceError } from '../../platform/service-error.ts';

/** More links than a message has; what comes after is not looked up. */
const MAX_INDICATORS = 200;
const HASHED_URL = /url:sha256:[0-9a-f]{64}/g;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Which member carries the content of each type. */
const CONTENT_OF = {
  text: 'content',
  url: 'content',
  file: 'content_b64',
  media: 'content_b64',
  app: 'app',
} as const satisfies Record<ScanType, keyof NewScan>;

/**
 * Gives the indicators that content shows, in the forms in which devices report them: `url:sha256:…` for links as
 * redaction writes them, `sha256:…` for files, `pkg:…` and `cert:sha256:…` for apps, `sender-domain:…` for mail.
 * Keeps nothing of the content.
 * @throws ServiceError `missing_field`, `invalid_field` when the content does not fit the type
 */
export function indicatorsOf(scan: NewScan): string[] {
  refuseMisplaced(scan);
  return [...new Set([...contentIndicators(scan), ...senderIndicators(scan)])].slice(0, MAX_INDICATORS);
}

function refuseMisplaced(scan: NewScan): void {
  const wanted = CONTENT_OF[scan.type];
  if (scan[wanted] === undefined) {
    throw new ServiceError('missing_field', `${wanted} is missing; a scan of type ${scan.type} needs it`);
  }
  const misplaced = (['content', 'content_b64', 'app'] as const).find(
    (name) => name !== wanted && scan[name] !== undefined,
  );
  if (misplaced) {
    throw new ServiceError('invalid_field', `${misplaced} does not go with a scan of type ${scan.type}`);
  }
}

function contentIndicators({ type, content = '', content_b64: base64 = '', app }: NewScan): string[] {
  switch (type) {
    case 'url':
      return [`url:sha256:${sha256(content.trim())}`];
    case 'text':
      return redactText(content).match(HASHED_URL) ?? [];
    case 'file':
    case 'media':
      return hashForms(sha256(decode(base64)));
    case 'app':
      return [
        ...(app ? [`pkg:${app.package_name}`, app.package_name] : []),
        ...(app?.sha256 ? hashForms(app.sha256.toLowerCase()) : []),
        ...(app?.certificate_sha256 ? [`cert:sha256:${app.certificate_sha256.toLowerCase()}`] : []),
      ];
  }
}

function senderIndicators({ context }: NewScan): string[] {
  const domain = context?.sender?.split('@')[1]?.toLowerCase();
  return domain ? [`sender-domain:${domain}`] : [];
}

function hashForms(hex: string): string[] {
  return [`sha256:${hex}`, hex];
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function decode(base64: string): Buffer {
  if (base64.length % 4 !== 0 || !BASE64.test(base64)) {
    throw new ServiceError('invalid_field', 'content_b64 must be Base64 with padding (RFC 4648, section 4)');
  }
  return Buffer.from(base64, 'base64');
}
