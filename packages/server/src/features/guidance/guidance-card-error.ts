/** A problem in a card. The message names the file and the place in it. */
export class GuidanceCardError extends Error {
  override readonly name = 'GuidanceCardError';

  constructor(file: string, problem: string, options: { cause?: unknown } = {}) {
    super(`${file}: ${problem}`, options);
  }
}
