/** A file that should hold models does not, or not whole. */
export class ModelDamagedError extends Error {
  override readonly name = 'ModelDamagedError';

  constructor(what: string) {
    super(`The model file cannot be used: ${what}. Fetch or train it again.`);
  }
}
