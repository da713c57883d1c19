import { FAMILY_NAMES, GIVEN_NAMES } from '@tps/detection/training';
import { LOWER, PLAIN_WORDS, type WordBag } from './word-bag.ts';

const SIMPLE = /^[a-z]{3,}$/;
export const GIVEN: readonly string[] = [...GIVEN_NAMES].filter((name) => SIMPLE.test(name));
export const FAMILY: readonly string[] = [...FAMILY_NAMES].filter((name) => SIMPLE.test(name));

const BUSINESS_ENDINGS = 'hub lab box ly ify co hq pro plus zone direct 24 shop group team'.split(' ');

/** Returns the domain label of a small business, an association or a person. */
export function synthesizeSiteName(bag: WordBag): string {
  const word = () => bag.one(PLAIN_WORDS);
  const family = () => bag.one(FAMILY);
  return bag.one([
    `${word()}${word()}`,
    `${word()}-${word()}`,
    `${word()}${family()}`,
    `${family()}${word()}`,
    `${family()}-${word()}`,
    `${family()}${bag.letters(LOWER, 3)}`,
    `${bag.one(GIVEN)}${family()}`,
    `${word()}${bag.one(BUSINESS_ENDINGS)}`,
    `the${word()}${word()}`,
    `${word()}${word()}${word()}`,
    `${bag.letters(LOWER, bag.number(2, 4))}${word()}`,
    word(),
    bag.letters(LOWER, bag.number(4, 8)),
  ]);
}
