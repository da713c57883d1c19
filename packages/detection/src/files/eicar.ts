import { hash } from 'node:crypto';

/** Length and SHA-256 of the test file that EICAR defines. The file itself would make scanners report this one. */
const LENGTH = 68;
const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
/** With the white space that may follow it. */
const MAX_LENGTH = 128;
/** Space, tab, line feed, carriage return, and Ctrl-Z. */
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d, 0x1a]);

/** Returns whether a file is the anti-malware test file of EICAR, by its definition. */
export function isEicarTestFile(bytes: Uint8Array): boolean {
  if (bytes.length < LENGTH || bytes.length > MAX_LENGTH) return false;
  return (
    bytes.subarray(LENGTH).every((byte) => WHITE_SPACE.has(byte)) &&
    hash('sha256', bytes.subarray(0, LENGTH), 'hex') === SHA256
  );
}
