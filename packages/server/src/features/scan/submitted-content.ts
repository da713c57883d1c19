import type { NewScan, ScanType } from '@tps/contract';
import type { BytesContent, ContentContext, PlainContent } from '@tps/detection';
import { ServiceError } from '../../platform/service-error.ts';

/** Content whose bytes are still Base64 as received: a worker decodes it, because it can be megabytes. */
export type EncodedContent = Omit<BytesContent, 'bytes'> & {
  /** A view into the body of the request. May contain JSON escapes. */
  readonly base64: Buffer;
};

export type SubmittedContent = PlainContent | EncodedContent;

/** The field that holds the content of each type. */
const CONTENT_FIELDS = {
  text: 'content',
  url: 'content',
  file: 'content_b64',
  media: 'content_b64',
  app: 'app',
} as const satisfies Record<ScanType, keyof NewScan>;

/**
 * Returns the submitted content. `base64` is the raw value of `content_b64`.
 * @throws ServiceError `missing_field`, `invalid_field` when the content does not fit the type
 */
export function toContent(scan: NewScan, base64: Buffer | undefined): SubmittedContent {
  checkFields(scan);
  const { type, content = '', filename, app } = scan;
  const context = scan.context && { context: toContext(scan.context) };
  switch (type) {
    case 'text':
      return { type, text: content, ...context };
    case 'url':
      return { type, url: content, ...context };
    case 'app':
      return { type, ...toApp(app), ...context };
    default: {
      const name = filename === undefined ? {} : { filename };
      return { type, base64: base64 ?? Buffer.alloc(0), ...name, ...context };
    }
  }
}

function toContext({ known_sender: knownSender, ...given }: NonNullable<NewScan['context']>): ContentContext {
  return { ...given, ...(knownSender !== undefined && { knownSender }) } as ContentContext;
}

function checkFields(scan: NewScan): void {
  const wanted = CONTENT_FIELDS[scan.type];
  if (scan[wanted] === undefined) {
    throw new ServiceError('missing_field', `${wanted} is required for a scan of type ${scan.type}`);
  }
  const misplaced = (['content', 'content_b64', 'app'] as const).find(
    (name) => name !== wanted && scan[name] !== undefined,
  );
  if (misplaced) {
    throw new ServiceError('invalid_field', `${misplaced} is not allowed for a scan of type ${scan.type}`);
  }
}

function toApp(app: NewScan['app']) {
  const {
    package_name: packageName = '',
    sha256,
    certificate_sha256: certificateSha256,
    permissions,
  } = app ?? {};
  return {
    packageName,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(certificateSha256 === undefined ? {} : { certificateSha256 }),
    ...(permissions === undefined ? {} : { permissions }),
  };
}
