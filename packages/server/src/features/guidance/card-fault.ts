/** What is wrong with a card. The message names the file and the place in it. */
export class CardFault extends Error {
  override readonly name = 'CardFault';

  constructor(file: string, problem: string, options: { cause?: unknown } = {}) {
    super(`${file}: ${problem}`, options);
  }
}
