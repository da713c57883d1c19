/** Enough to see what the receiver complains about. */
const KEPT_BYTES = 2048;
/** More than any error page that helps. A connection is cut rather than read beyond. */
const READ_BYTES = 64 * 1024;

/** What a log line or a page must not be made to show: control characters but tab and line feed, invisible ones. */
const UNPRINTABLE = /[^\P{C}\t\n]/gu;

/** Keeps the first 2 KiB of a body of unknown length, and no more in memory. */
export class Excerpt {
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #readBytes = 0;

  /** Takes what was read. Gives false when it is time to stop reading. */
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

  /** What was kept as text that can be shown: whatever is no UTF-8 or cannot be printed is replaced. */
  toString(): string {
    if (this.#keptBytes === 0) return '';
    // A character cut in two by the end of what is kept is dropped, not replaced.
    const text = new TextDecoder().decode(Buffer.concat(this.#kept), {
      stream: this.#keptBytes === KEPT_BYTES,
    });
    return text.replaceAll('\r\n', '\n').replace(UNPRINTABLE, '\uFFFD');
  }
}
