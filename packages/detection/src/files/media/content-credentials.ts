import { isBmff, isBoundedBmff } from './bmff-bounds.ts';
import { isTrusted, type TrustList } from './trust-list.ts';

/** What the content credentials (C2PA) of a picture, sound or film state about its origin. */
export type OriginStatement =
  | { readonly state: 'none' }
  /** Content credentials in a format that is not read here. */
  | { readonly state: 'unreadable' }
  /** Altered after signing, or not properly signed: they prove nothing. */
  | { readonly state: 'broken' }
  | {
      readonly state: 'valid';
      /** The organization in the certificate, at most 80 characters. */
      readonly signer: string;
      readonly isTrusted: boolean;
      /** The whole, or a part, was made by a trained model. */
      readonly isGenerated: boolean;
      /** The credentials state the origin of at least one part. */
      readonly namesOrigin: boolean;
    };

/** Each form of C2PA data contains the label of its box: C2PA 2.1, section 11.1.4. */
const LABEL = 'c2pa';
/** The IPTC's digital source types that mean: a trained model made all or a part. */
const GENERATED =
  /(?:^|\/)(?:trainedAlgorithmicMedia|compositeWithTrainedAlgorithmicMedia|compositeSynthetic)$|^c2pa\.trainedAlgorithmicData$/;
const MAX_SIGNER_LENGTH = 80;

/**
 * Reads and verifies content credentials: the bytes are the signed ones, and the signature matches the
 * certificate. The trust list decides whether the certificate is trusted. Never throws.
 */
export async function readContentCredentials(bytes: Uint8Array, trust: TrustList): Promise<OriginStatement> {
  // Loading the library takes a quarter of a second, which most pictures do not need.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(LABEL))
    return { state: 'none' };
  if (isBmff(bytes) && !isBoundedBmff(bytes)) return { state: 'unreadable' };
  try {
    return await verify(bytes, trust);
  } catch {
    return { state: 'broken' };
  }
}

async function verify(source: Uint8Array, trust: TrustList): Promise<OriginStatement> {
  const [{ BMFF, JPEG, MP3, PNG }, { SuperBox }, { ActionAssertion, ManifestStore }] = await Promise.all([
    import('@trustnxt/c2pa-ts/asset'),
    import('@trustnxt/c2pa-ts/jumbf'),
    import('@trustnxt/c2pa-ts/manifest'),
  ]);
  // The library modifies its input when it signs, and needs a separate buffer.
  const bytes = new Uint8Array(source);
  const Asset = [JPEG, PNG, BMFF, MP3].find((format) => format.canRead(bytes));
  if (Asset === undefined) return { state: 'unreadable' };
  const asset = new Asset(bytes);
  const box = asset.getManifestJUMBF();
  if (box === undefined) return { state: 'none' };
  const store = ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(box)));
  const { isValid, statusEntries } = await store.validate(asset);
  const signature = store.getActiveManifest()?.signature?.signatureData;
  const certificate = signature?.certificate;
  if (!isValid || signature === undefined || certificate === undefined) return { state: 'broken' };
  const actions = store.manifests.flatMap(
    ({ assertions }) =>
      assertions?.assertions.flatMap((one) => (one instanceof ActionAssertion ? one.actions : [])) ?? [],
  );
  const isTimeProven = statusEntries.some(({ code }) => code === 'timeStamp.trusted');
  const at = (isTimeProven && signature.timestamp) || new Date();
  const chain = [certificate, ...signature.chainCertificates].map(({ rawData }) => new Uint8Array(rawData));
  return {
    state: 'valid',
    signer: nameOf(certificate.subject),
    isTrusted: isTrusted(chain, trust, at),
    isGenerated: actions.some(({ digitalSourceType = '' }) => GENERATED.test(digitalSourceType)),
    namesOrigin: actions.some(({ digitalSourceType = '' }) => digitalSourceType !== ''),
  };
}

/** The organization of a distinguished name, or its common name (RFC 4514). */
function nameOf(subject: string): string {
  const part = (key: string) => new RegExp(`(?:^|, )${key}=((?:\\\\.|[^,\\\\]){1,200})`).exec(subject)?.[1];
  const name = part('O') ?? part('CN') ?? 'an unnamed signer';
  return name
    .replace(/\\(.)/g, '$1')
    .replace(/[^\p{L}\p{N} .,&'()-]/gu, '')
    .slice(0, MAX_SIGNER_LENGTH);
}
