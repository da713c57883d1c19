import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from '@trustnxt/c2pa-ts/asset';
import { CoseAlgorithmIdentifier, LocalSigner } from '@trustnxt/c2pa-ts/cose';
import {
  ActionAssertion,
  ActionType,
  DataHashAssertion,
  type DigitalSourceType,
  ManifestStore,
} from '@trustnxt/c2pa-ts/manifest';

/** A picture of one black pixel. */
export function buildPng(): Uint8Array {
  const header = Buffer.from('00000001000000010800000000', 'hex');
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** An authority, and a signer of content credentials that it certified. */
export interface TestSigner {
  /** The authority's certificate, in PEM. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const EXTENSIONS = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,digitalSignature',
  'extendedKeyUsage=emailProtection',
  'authorityKeyIdentifier=keyid',
].join('\n');

/** Creates an authority and a signer with openssl, in a temporary folder. */
export function createTestSigner(organization: string): TestSigner {
  const folder = mkdtempSync(join(tmpdir(), 'tps-signer-'));
  const openssl = (command: string, ...subject: string[]) =>
    execFileSync('openssl', [...command.split(' '), ...subject], { cwd: folder, stdio: 'pipe' });
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  try {
    openssl(`req -x509 ${key} -keyout ca.key -out ca.crt -days 90 -subj /O=Authority/CN=ca`);
    openssl(`req ${key} -keyout signer.key -out signer.csr -subj`, `/O=${organization}/CN=signer`);
    writeFileSync(join(folder, 'extensions'), EXTENSIONS);
    openssl(
      'x509 -req -in signer.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out signer.crt -days 80 -extfile extensions',
    );
    const read = (file: string) => readFileSync(join(folder, file), 'utf8');
    return { authority: read('ca.crt'), certificate: read('signer.crt'), key: read('signer.key') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Adds content credentials to a picture, optionally with a source type. */
export async function signPicture(
  png: Uint8Array,
  { certificate, key }: TestSigner,
  source?: DigitalSourceType,
): Promise<Uint8Array> {
  const privateKey = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  // The library expects a certificate of another package and uses only its bytes.
  const { raw } = new X509Certificate(certificate);
  const signer = new LocalSigner(new Uint8Array(privateKey), CoseAlgorithmIdentifier.ES256, {
    rawData: new Uint8Array(raw).buffer,
    publicKey: { algorithm: { namedCurve: 'P-256' } },
  } as never);
  const asset = new PNG(new Uint8Array(png));
  const store = new ManifestStore();
  const manifest = store.createManifest({
    assetFormat: 'image/png',
    instanceID: 'xmp:iid:1',
    defaultHashAlgorithm: 'SHA-256',
    signer,
  });
  const actions = new ActionAssertion();
  actions.actions = [{ action: ActionType.C2paCreated, ...(source && { digitalSourceType: source }) }];
  const binding = DataHashAssertion.create('SHA-256');
  manifest.addAssertion(actions);
  manifest.addAssertion(binding);
  await asset.ensureManifestSpace(store.measureSize());
  await binding.updateWithAsset(asset);
  await manifest.sign(signer);
  await asset.writeManifestJUMBF(new Uint8Array(store.getBytes()));
  return asset.getDataRange();
}
