import { hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** A SHA-1 has 40 characters; the count that published lists add has a few more. */
const MAX_LINE_BYTES = 64;
/** Lines that are compared when the file is opened. A file in another order would find nothing, without an error. */
const SAMPLES = 64;
const LINE = /^([0-9A-F]{40})(?::\d+)?$/;
const NEWLINE = 0x0a;

/**
 * A sorted list of passwords that no one may choose: on each line the SHA-1 in upper-case hex, and optionally a count, as
 * Have I Been Pwned publishes it. The list has gigabytes and stays on disk: a search takes about 35 short reads.
 */
export class BreachedPasswords {
  readonly #file: FileHandle;
  readonly #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  /** @throws Error if the file cannot be read, or samples of it have another form or order */
  static async open(path: string): Promise<BreachedPasswords> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'r');
      const { size } = await file.stat();
      const list = new BreachedPasswords(file, size);
      await list.#check(path);
      return list;
    } catch (cause) {
      await file?.close();
      throw new Error('SERVICE_BREACHED_PASSWORDS_FILE cannot be used', { cause });
    }
  }

  async has(password: string): Promise<boolean> {
    const wanted = hash('sha1', password, 'hex').toUpperCase();
    let from = 0;
    let to = this.#bytes;
    while (from < to) {
      const line = await this.#lineAt(Math.floor((from + to) / 2));
      if (line.hash === wanted) return true;
      if (line.hash < wanted) from = line.end;
      else to = line.start;
    }
    return false;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Reads the line that contains the byte at this offset. */
  async #lineAt(offset: number): Promise<{ hash: string; start: number; end: number }> {
    const from = Math.max(0, offset - MAX_LINE_BYTES);
    const { buffer, bytesRead } = await this.#file.read({
      buffer: Buffer.alloc(2 * MAX_LINE_BYTES),
      position: from,
    });
    const bytes = buffer.subarray(0, bytesRead);
    const at = offset - from;
    const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
    const newline = bytes.indexOf(NEWLINE, at);
    const stop = newline === -1 ? bytes.length : newline;
    const text = bytes.subarray(start, stop).toString('latin1').trimEnd();
    return { hash: LINE.exec(text)?.[1] ?? '', start: from + start, end: from + stop + 1 };
  }

  async #check(path: string): Promise<void> {
    let last = '';
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const { hash: found } = await this.#lineAt(Math.floor((this.#bytes * sample) / SAMPLES));
      if (found !== '' && found >= last) last = found;
      else {
        throw new Error(`${path} must have a SHA-1 in upper-case hex on each line, sorted`);
      }
    }
  }
}
