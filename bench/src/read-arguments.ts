type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a whole number from 1 on. @throws Error for anything else */
export function wholeNumber(env: Environment, name: string, otherwise: number): number {
  const text = env[name];
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${name} must be a whole number from 1.`);
  return Number(text);
}

/** Keeps the names that were given, in their usual order. @throws Error for one that is not known */
export function known<Name extends string>(
  given: readonly string[],
  names: readonly Name[],
  flag: string,
): Name[] {
  const unknown = given.filter((name) => !names.some((other) => other === name));
  if (unknown.length > 0) throw new Error(`${flag} knows ${names.join(', ')}; not ${unknown.join(', ')}.`);
  return names.filter((name) => given.includes(name));
}
