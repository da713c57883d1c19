import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyReview, parseReviewedList } from './reviewed-list.ts';
import { selectShorteners } from './shorteners.ts';
import { generateWordLists } from './word-lists.ts';

describe('the generated word lists', () => {
  it.each(generateWordLists())('are up to date: $path', ({ path, source }) => {
    expect(readFileSync(path, 'utf8')).toBe(source);
  });
});

describe('a reviewed list', () => {
  it('adds entries to a public list and leaves entries out', () => {
    const review = parseReviewedList('# why\n+ c\n- a\n');
    expect(applyReview(['b', 'a'], review)).toEqual(['b', 'c']);
  });

  it('cannot add an entry that the public list has, nor leave out one that it lacks', () => {
    expect(() => applyReview(['a'], parseReviewedList('+ a\n'))).toThrow('a');
    expect(() => applyReview(['a'], parseReviewedList('- b\n'))).toThrow('b');
  });

  it('has no entry twice and no line of another form', () => {
    expect(() => parseReviewedList('+ a\n- a\n')).toThrow('Listed twice: a');
    expect(() => parseReviewedList('a\n')).toThrow('Not "+ ENTRY" or "- ENTRY": a');
  });
});

describe('the list of shorteners', () => {
  it('contains the domains of the rules, also where each host below a domain is one', () => {
    const rules = '# url_shortener no.example\nurl_shortener .page.example\n  url_shortener_get b.example\n';
    expect(selectShorteners(rules, parseReviewedList(''))).toEqual(['b.example', 'page.example']);
  });
});
