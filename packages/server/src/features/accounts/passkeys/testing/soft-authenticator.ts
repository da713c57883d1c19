import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a dishonest page or authenticator would do differently. */
export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly isUserVerified?: boolean;
  readonly userHandle?: string;
  /** The format of the statement about the authenticator, which is empty. */
  readonly attestation?: string;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator with one ES256 passkey, in software. Its answers have the form that a browser submits. */
export class SoftAuthenticator {
  readonly #origin: string;
  readonly #credentialId = randomBytes(16);
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  get id(): string {
    return this.#credentialId.toString('base64url');
  }

  /** Creates the passkey, without an attestation. */
  create(options: CreationOptions, deviations: Deviations = {}): string {
    this.#userHandle = options.user.id;
    const authData = Buffer.concat([
      this.#authenticatorData({ rpId: options.rp.id ?? '', flags: HAS_CREDENTIAL, deviations }),
      Buffer.alloc(16),
      Buffer.of(0, this.#credentialId.length),
      this.#credentialId,
      toCoseKey(this.#publicKey),
    ]);
    const attestationObject = Buffer.concat([
      Buffer.of(0xa3),
      toCborText('fmt'),
      toCborText(deviations.attestation ?? 'none'),
      toCborText('attStmt'),
      Buffer.of(0xa0),
      toCborText('authData'),
      Buffer.of(0x58, authData.length),
      authData,
    ]);
    return this.#toAnswer({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, deviations).toString(
        'base64url',
      ),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Signs in with the passkey. */
  get(options: RequestOptions, deviations: Deviations = {}): string {
    this.#counter = deviations.counter ?? this.#counter + 1;
    const authData = this.#authenticatorData({ rpId: options.rpId ?? '', flags: 0, deviations });
    const clientData = this.#clientData('webauthn.get', options.challenge, deviations);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#toAnswer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      userHandle: deviations.userHandle ?? this.#userHandle,
    });
  }

  #toAnswer(response: object): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
    });
  }

  #clientData(type: string, challenge: string, deviations: Deviations): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: deviations.challenge ?? challenge,
        origin: deviations.origin ?? this.#origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData({
    rpId,
    flags,
    deviations,
  }: {
    rpId: string;
    flags: number;
    deviations: Deviations;
  }): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const verified = deviations.isUserVerified === false ? 0 : USER_VERIFIED;
    const rpIdHash = createHash('sha256')
      .update(deviations.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.of(flags | USER_PRESENT | verified), counter]);
  }
}

/** Text of fewer than 24 bytes (RFC 8949, section 3). */
function toCborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);
}

/** RFC 9053, section 7.1.1: kty EC2, alg ES256, crv P-256, x and y. */
function toCoseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20),
    Buffer.from(x, 'base64url'),
    Buffer.of(0x22, 0x58, 0x20),
    Buffer.from(y, 'base64url'),
  ]);
}
