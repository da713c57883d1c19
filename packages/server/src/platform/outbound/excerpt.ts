/** Enough to see what the receiver complains about. */
const KEPT_BYTES = 2048;
/** More than any useful error page. Beyond it the connection is cut, not read. */
const READ_BYTES = 64 * 1024;

/** What must not reach a log line or a page: control characters except tab and line feed, and invisible ones. */
const UNPRINTABLE = /[^\P{C}\t\n]/gu;

/** Keeps the first 2 KiB of a body of unknown length, and no more in memory. */
export class Excerpt {
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #readBytes = 0;

  /** Adds a chunk. Returns false when reading must stop. */
  add(chunk: Buffer): boolean {
    const room = KEPT_BYTES - this.#keptBytes;
    if (room > 0) {
      // A copy: the chunk is a view of a buffer that may be thirty times as large.
      const part = Buffer.from(chunk.subarray(0, room));
      this.#kept.push(part);
      this.#keptBytes += part.length;
    }
    this.#readBytes += chunk.length;
    return this.#readBytes <= READ_BYTES;
  }

  /** Returns the kept bytes as printable text: invalid UTF-8 and unprintable characters are replaced. */
  toString(): string {
    if (this.#keptBytes === 0) return '';
    // A character cut off at the end of the kept bytes is dropped, not replaced.
    const text = new TextDecoder().decode(Buffer.concat(this.#kept), {
      stream: this.#keptBytes === KEPT_BYTES,
    });
    return text.replaceAll('\r\n', '\n').replace(UNPRINTABLE, '\uFFFD');
  }
}
