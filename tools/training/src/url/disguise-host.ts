import { CYRILLIC_LOOK_ALIKES } from '../cyrillic-look-alikes.ts';

/** Writes the name of a host with Cyrillic letters that look like its own, as a homoglyph attack does. */
export function disguiseHost(url: string, name: string): string {
  return url.replace(
    name,
    name.replace(/[aceijopsxy]/g, (letter) => CYRILLIC_LOOK_ALIKES[letter] ?? letter),
  );
}
