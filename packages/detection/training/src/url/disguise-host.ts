const CYRILLIC: Readonly<Record<string, string>> = {
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'о',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  y: 'у',
  j: 'ј',
};

/** Writes the name of a host with Cyrillic letters that look like its own, as a homoglyph attack does. */
export function disguiseHost(url: string, name: string): string {
  return url.replace(
    name,
    name.replace(/[aceiopsxyj]/g, (letter) => CYRILLIC[letter] ?? letter),
  );
}
