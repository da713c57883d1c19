import BinaryXmlParser from '@devicefarmer/adbkit-apkreader/lib/apkreader/parser/binaryxml.js';

/** Android's own apps stay below a fifth of this. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_STRINGS = 50_000;
const MAX_DEPTH = 64;
const MAX_PERMISSIONS = 500;
const CHUNK_HEADER_BYTES = 8;
const STRING_POOL = 0x0001;
const START_ELEMENT = 0x0102;
/**
 * Bytes of an element before its attributes, header included, and of one attribute (ResourceTypes.h of AOSP).
 */
const ELEMENT_BYTES = 36;
const ATTRIBUTE_BYTES = 20;

/** What an app declares about itself. */
export interface ApkManifest {
  readonly packageName: string;
  /**
   * The permissions it asks for, and those that protect its services, such as BIND_ACCESSIBILITY_SERVICE.
   * Each once.
   */
  readonly permissions: readonly string[];
}

/** Reads AndroidManifest.xml in its binary form. Undefined for other or invalid input. Never throws. */
export function readApkManifest(bytes: Uint8Array): ApkManifest | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isBounded(buffer)) return undefined;
  try {
    const root = new BinaryXmlParser(buffer).parse();
    const packageName = root && attributeOf(root, 'package');
    if (root?.nodeName !== 'manifest' || !packageName) return undefined;
    const permissions = new Set<string>();
    collectPermissions(root, permissions, 0);
    return {
      packageName: packageName.slice(0, 255),
      permissions: [...permissions].slice(0, MAX_PERMISSIONS),
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the parser will finish in time: it trusts sizes and counts, so a chunk without length would
 * block it forever, and overlapping strings or attributes would take quadratic time.
 */
function isBounded(buffer: Buffer): boolean {
  if (buffer.length > MAX_BYTES || buffer.length < CHUNK_HEADER_BYTES) return false;
  // The first header is that of the whole file.
  for (let at = CHUNK_HEADER_BYTES; at < buffer.length; ) {
    if (at + CHUNK_HEADER_BYTES > buffer.length) return false;
    const type = buffer.readUInt16LE(at);
    const size = buffer.readUInt32LE(at + 4);
    if (size < CHUNK_HEADER_BYTES || at + size > buffer.length) return false;
    if (type === START_ELEMENT) {
      if (size < ELEMENT_BYTES) return false;
      if (ELEMENT_BYTES + ATTRIBUTE_BYTES * buffer.readUInt16LE(at + 28) > size) return false;
    }
    if (type === STRING_POOL && !isBoundedPool(buffer, at, size)) return false;
    at += size;
  }
  return true;
}

/** All strings together must not be longer than the pool: none may be stored once and used twice. */
function isBoundedPool(buffer: Buffer, at: number, size: number): boolean {
  if (size < 28) return false;
  const count = buffer.readUInt32LE(at + 8);
  const isUtf8 = (buffer.readUInt32LE(at + 16) & 0x100) !== 0;
  const stringsAt = at + buffer.readUInt32LE(at + 20);
  if (count > MAX_STRINGS || 28 + 4 * count > size) return false;
  let total = 0;
  for (let index = 0; index < count; index++) {
    const from = stringsAt + buffer.readUInt32LE(at + 28 + 4 * index);
    if (from + 4 > at + size) return false;
    const length = buffer.readUInt16LE(from);
    // The parser's own formats of lengths: at most 32,767 bytes of UTF-8; no manifest has more of UTF-16.
    total += isUtf8 ? utf8Length(buffer, from) : 2 * length;
    if ((!isUtf8 && length >= 0x8000) || total > 2 * size) return false;
  }
  return true;
}

function utf8Length(buffer: Buffer, from: number): number {
  const bytesAt = from + ((buffer[from] ?? 0) & 0x80 ? 2 : 1);
  const first = buffer[bytesAt] ?? 0;
  return first & 0x80 ? ((first & 0x7f) << 8) + (buffer[bytesAt + 1] ?? 0) : first;
}

type Element = NonNullable<ReturnType<BinaryXmlParser['parse']>>;

function collectPermissions(element: Element, permissions: Set<string>, depth: number): void {
  if (depth > MAX_DEPTH) return;
  for (const child of element.childNodes ?? []) {
    const name = child.nodeName ?? '';
    const permission = name.startsWith('uses-permission')
      ? attributeOf(child, 'name')
      : ['service', 'receiver'].includes(name)
        ? attributeOf(child, 'permission')
        : undefined;
    if (permission) permissions.add(permission.slice(0, 255));
    collectPermissions(child, permissions, depth + 1);
  }
}

function attributeOf({ attributes = [] }: Element, name: string): string | undefined {
  const attribute = attributes.find((one) => one.name === name);
  const value = attribute?.typedValue.value ?? attribute?.value;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
