import { expect, test } from 'vitest';
import { parseReport, spansOf } from './parse-report.ts';

test('headings, lists, tables and paragraphs are recognised', () => {
  const report = [
    '# Triage',
    '',
    '## What happened',
    '',
    '- one',
    '- two',
    '',
    '1. first',
    '2. second',
    '',
    '| Device | Events |',
    '| --- | --- |',
    '| `dev_1` | 4 |',
    '',
    'A sentence',
    'on two lines.',
  ].join('\n');
  expect(parseReport(report)).toEqual([
    { kind: 'heading', level: 1, text: 'Triage' },
    { kind: 'heading', level: 2, text: 'What happened' },
    { kind: 'list', isNumbered: false, items: ['one', 'two'] },
    { kind: 'list', isNumbered: true, items: ['first', 'second'] },
    { kind: 'table', head: ['Device', 'Events'], rows: [['`dev_1`', '4']] },
    { kind: 'paragraph', text: 'A sentence\non two lines.' },
  ]);
});

test('what a device wrote stays one code span with any content', () => {
  expect(spansOf('It said `**bold** <b>x</b> [a](javascript:1)` and **that** was all')).toEqual([
    { kind: 'text', text: 'It said ' },
    { kind: 'code', text: '**bold** <b>x</b> [a](javascript:1)' },
    { kind: 'text', text: ' and ' },
    { kind: 'strong', text: 'that' },
    { kind: 'text', text: ' was all' },
  ]);
});

test('a report that was cut within a construct is still text', () => {
  expect(spansOf('ends `here')).toEqual([{ kind: 'text', text: 'ends `here' }]);
  expect(parseReport('| one line')).toEqual([{ kind: 'paragraph', text: '| one line' }]);
});
