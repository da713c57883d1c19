import { strToU8, type Zippable, zipSync } from 'fflate';

/** An element of a manifest, with string attributes. */
export interface TestElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly TestElement[];
}

/** Writes Android's binary XML (ResourceTypes.h of AOSP), strings in UTF-8. */
export function buildBinaryXml(root: TestElement): Uint8Array {
  // For the parser, reference 0 means no string.
  const strings = [''];
  const refer = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const elements = writeElement(root, refer);
  const body = Buffer.concat([writePool(strings), elements]);
  return Buffer.concat([writeHeader(0x0003, 8, 8 + body.length), body]);
}

export function manifestOf(
  packageName: string,
  permissions: readonly string[],
  services: readonly string[] = [],
): TestElement {
  return {
    name: 'manifest',
    attributes: { package: packageName },
    children: [
      ...permissions.map((name) => ({ name: 'uses-permission', attributes: { name } })),
      {
        name: 'application',
        children: services.map((permission) => ({ name: 'service', attributes: { permission } })),
      },
    ],
  };
}

export function buildApk(manifest: Uint8Array, others: Zippable = {}): Uint8Array {
  return zipSync({ 'AndroidManifest.xml': manifest, 'classes.dex': strToU8('dex'), ...others });
}

/** Puts a signing block with one certificate before the central directory, as apksigner does for scheme 2. */
export function signApk(apk: Uint8Array, certificate: Uint8Array): Uint8Array {
  const whole = Buffer.from(apk);
  const end = whole.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const directoryAt = whole.readUInt32LE(end + 16);
  const certificates = prefixed(prefixed(certificate));
  const signedData = prefixed(Buffer.concat([prefixed(Buffer.alloc(0)), certificates]));
  const value = Buffer.concat([word(0x7109871a), prefixed(prefixed(signedData))]);
  const pair = Buffer.concat([long(value.length), value]);
  const size = long(pair.length + 24);
  const block = Buffer.concat([size, pair, size, Buffer.from('APK Sig Block 42')]);
  const after = Buffer.from(whole.subarray(directoryAt));
  after.writeUInt32LE(directoryAt + block.length, end - directoryAt + 16);
  return Buffer.concat([whole.subarray(0, directoryAt), block, after]);
}

/** PKCS #7 SignedData with one certificate and no signature. */
export function buildPkcs7(certificate: Uint8Array): Uint8Array {
  const signedData = der(0x30, der(0x02, [1]), der(0x31), der(0x30), der(0xa0, certificate), der(0x31));
  return der(0x30, der(0x06, [0x2a, 0x86, 0x48]), der(0xa0, signedData));
}

/** A sequence in the form of a certificate. */
export function buildCertificate(content: string): Uint8Array {
  return der(0x30, strToU8(content));
}

function der(tag: number, ...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const content = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Uint8Array.from([tag, ...length]), content]);
}

function writeElement(element: TestElement, refer: (text: string) => number): Buffer {
  const { name, attributes = {}, children = [] } = element;
  const written = Object.entries(attributes).map(([key, value]) =>
    Buffer.concat([
      word(-1),
      word(refer(key)),
      word(refer(value)),
      Buffer.from('08000003', 'hex'),
      word(refer(value)),
    ]),
  );
  const counts = Buffer.alloc(12);
  counts.writeUInt16LE(20, 0);
  counts.writeUInt16LE(20, 2);
  counts.writeUInt16LE(written.length, 4);
  const start = Buffer.concat([word(1), word(-1), word(-1), word(refer(name)), counts, ...written]);
  const end = Buffer.concat([word(1), word(-1), word(-1), word(refer(name))]);
  return Buffer.concat([
    writeHeader(0x0102, 16, 8 + start.length),
    start,
    ...children.map((child) => writeElement(child, refer)),
    writeHeader(0x0103, 16, 8 + end.length),
    end,
  ]);
}

function writePool(strings: readonly string[]): Buffer {
  const written = strings.map((text) =>
    Buffer.concat([Buffer.from([text.length, text.length]), Buffer.from(text), Buffer.alloc(1)]),
  );
  const offsets = written.map((_, index) =>
    word(written.slice(0, index).reduce((sum, { length }) => sum + length, 0)),
  );
  const data = Buffer.concat([...written, Buffer.alloc(4)]);
  const stringsAt = 28 + 4 * strings.length;
  const head = [strings.length, 0, 0x100, stringsAt, 0].map(word);
  return Buffer.concat([writeHeader(0x0001, 28, stringsAt + data.length), ...head, ...offsets, data]);
}

function writeHeader(type: number, headerSize: number, size: number): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(type, 0);
  header.writeUInt16LE(headerSize, 2);
  header.writeUInt32LE(size, 4);
  return header;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value | 0);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function prefixed(bytes: Uint8Array): Buffer {
  return Buffer.concat([word(bytes.length), bytes]);
}
