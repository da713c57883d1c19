/** A model file that is missing data or is not a model file. */
export class ModelDamagedError extends Error {
  override readonly name = 'ModelDamagedError';

  constructor(what: string) {
    super(`The model file cannot be used: ${what}. Fetch or train it again.`);
  }
}
