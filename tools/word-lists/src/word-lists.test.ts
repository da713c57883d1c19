import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { selectFamilyNames } from './family-names.ts';
import { selectGivenNames } from './given-names.ts';
import { applyReview, parseReviewedList } from './reviewed-list.ts';
import { selectShorteners } from './shorteners.ts';
import { generateWordLists, pathOf } from './word-lists.ts';

describe('the generated word lists', () => {
  it.each(generateWordLists())('are up to date: $file', (list) => {
    expect(readFileSync(pathOf(list), 'utf8')).toBe(list.source);
  });
});

describe('a reviewed list', () => {
  it('adds entries to a public list and excludes others', () => {
    const review = parseReviewedList('# why\n+ c\n- a\n');
    expect(applyReview(['b', 'a'], review)).toEqual(['b', 'c']);
  });

  it('cannot add an entry of the public list or exclude an entry that is not in it', () => {
    expect(() => applyReview(['a'], parseReviewedList('+ a\n'))).toThrow('public list: a');
    expect(() => applyReview(['a'], parseReviewedList('- b\n'))).toThrow('public list: b');
  });

  it('rejects an entry that is listed twice and a line of another form', () => {
    expect(() => parseReviewedList('+ a\n- a\n')).toThrow('Listed twice: a');
    expect(() => parseReviewedList('a\n')).toThrow('Expected "+ ENTRY" or "- ENTRY", found: a');
  });
});

describe('the list of shorteners', () => {
  it('contains the domain of each rule, also of a rule for all hosts below a domain', () => {
    const rules = '# url_shortener no.example\nurl_shortener .page.example\n  url_shortener_get b.example\n';
    expect(selectShorteners(rules, parseReviewedList(''))).toEqual(['b.example', 'page.example']);
  });
});

describe('the list of given names', () => {
  const source = (...givenNames: string[]) => ({ givenNames, familyNames: ['Ford'], places: ['Geneva'] });
  const none = parseReviewedList('');

  it('contains names of two sources or more, without accents', () => {
    const sources = [source('Zoë', 'Łucja', 'Ksenia'), source('Zoë', 'Chloë', 'Łucja')];
    expect(selectGivenNames({ sources: [...sources, source('Chloë')], words: new Set() }, none)).toEqual([
      'chloe',
      'lucja',
    ]);
  });

  it('contains no words, family names, places or names of several words', () => {
    const names = ['Grace', 'Ford', 'Geneva', 'Anna Lena', 'Wanda'];
    const sources = [source(...names), source(...names)];
    expect(selectGivenNames({ sources, words: new Set(['grace']) }, none)).toEqual(['wanda']);
  });
});

describe('the list of family names', () => {
  const none = { givenNames: [], places: [], words: new Set<string>(), knownNames: new Set<string>() };

  it('contains each name once, without accents', () => {
    const familyNames = ['Núñez', 'Lindgren', 'Nunez'];
    expect(selectFamilyNames({ ...none, familyNames }, parseReviewedList(''))).toEqual(['lindgren', 'nunez']);
  });

  it('contains no words, given names, places, known names or names of several words', () => {
    const familyNames = ['Stone', 'Dietrich', 'Geneva', 'Smith', 'De Luca', 'Lindgren'];
    const sources = {
      familyNames,
      givenNames: ['Dietrich'],
      places: ['Geneva'],
      words: new Set(['stone']),
      knownNames: new Set(['smith']),
    };
    expect(selectFamilyNames(sources, parseReviewedList(''))).toEqual(['lindgren']);
  });

  it('excludes what the review excludes', () => {
    const familyNames = ['Frau', 'Lindgren'];
    expect(selectFamilyNames({ ...none, familyNames }, parseReviewedList('- frau\n'))).toEqual(['lindgren']);
  });
});
