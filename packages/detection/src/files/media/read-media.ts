import { THREAT_TYPES } from '../../threat-type.ts';
import type { Contents } from '../file-contents.ts';
import { type OriginStatement, readContentCredentials } from './content-credentials.ts';
import type { TrustList } from './trust-list.ts';

/** A signer on the trust list is accountable for its statement; anyone can sign under another name. */
const STATED = { trusted: 0.95, untrusted: 0.7 };
/** A trusted statement of another origin is about the picture, not about its use. */
const OTHER_ORIGIN_SCORE = 0.02;

/**
 * Reads what a picture, sound or film states about its origin. Generated media is not an attack, so it leads
 * to a warning at most. Media without a statement has no result: most generated media has none.
 */
export async function readMedia(bytes: Uint8Array, trust: TrustList): Promise<Contents> {
  return toContents(await readContentCredentials(bytes, trust));
}

function toContents(statement: OriginStatement): Contents {
  switch (statement.state) {
    case 'none':
      return { opaque: 'it has no content credentials, and its origin cannot be determined otherwise' };
    case 'unreadable':
      return { opaque: 'its content credentials are in an unsupported format' };
    case 'broken':
      return {
        reasons: [
          'its content credentials do not match: it was altered after signing, or not properly signed',
        ],
        opaque: 'its content credentials are invalid, and prove nothing about its origin',
      };
    case 'valid':
      return statement.isGenerated ? generated(statement) : otherOrigin(statement);
  }
}

type Valid = Extract<OriginStatement, { state: 'valid' }>;

function generated({ signer, isTrusted }: Valid): Contents {
  return {
    findings: [
      {
        detector: 'content_credentials',
        threatType: 'generated_media',
        category: THREAT_TYPES.generated_media.category,
        confidence: isTrusted ? STATED.trusted : STATED.untrusted,
        evidence: `a signed statement by ${signer}${isTrusted ? '' : ', who is not on the trust list,'} that it was made by a trained model`,
        minimumVerdict: 'warn',
      },
    ],
  };
}

function otherOrigin({ signer, isTrusted, namesOrigin }: Valid): Contents {
  if (!namesOrigin) {
    return { opaque: `its content credentials, by ${signer}, do not state its origin` };
  }
  if (!isTrusted) {
    return { opaque: `its origin is stated only by ${signer}, who is not on the trust list` };
  }
  return {
    reasons: [`${signer} signed a statement of its origin, without a generated part`],
    score: OTHER_ORIGIN_SCORE,
  };
}
