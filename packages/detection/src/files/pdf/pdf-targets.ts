import { endingOf, isProgramEnding } from '../disguised-name.ts';
import { isScriptName } from '../program/read-script.ts';
import type { PdfStructure } from './pdf-structure.ts';
import { fromHex, fromLiteral } from './pdf-words.ts';

/** The string need not end: of a longer one only this part is read. */
const STRING = String.raw`(?:\(((?:\\[\s\S]|[^\\()]|\([^\\()]{0,200}\)){4,2048})|<([0-9a-fA-F\s]{8,4096}))`;
/** Comments count as blanks (section 7.2.4). */
const BLANKS = String.raw`(?:\s|%[^\r\n]{0,200}[\r\n]){0,32}`;
const KEY = '/(?:URI|F|UF)';
const REFERENCE = String.raw`(\d{1,8})\s+\d{1,5}\s+R`;
const TARGET = new RegExp(`${KEY}${BLANKS}${STRING}`, 'g');
const TARGET_ELSEWHERE = new RegExp(`${KEY}${BLANKS}${REFERENCE}`, 'g');
const ANY_STRING = new RegExp(STRING, 'g');
const ANY_REFERENCE = new RegExp(REFERENCE, 'g');
const FILES = new RegExp(`/EF${BLANKS}(?:<<([^<>]{0,1024})|${REFERENCE})`, 'g');
/** Of all objects together, since objects can be made to overlap. */
const MAX_REFERENCED = 8 * 1024 * 1024;

/** Returns the strings that name a page or a file. */
export function readPdfTargets({ text, objects }: PdfStructure): Set<string> {
  const targets = new Set<string>();
  const take = (matches: Iterable<RegExpMatchArray>) => {
    for (const [, literal, hex] of matches) targets.add(toTarget(literal, hex));
  };
  take(text.matchAll(TARGET));
  const elsewhere = new Set<number>();
  for (const [, number] of text.matchAll(TARGET_ELSEWHERE)) elsewhere.add(Number(number));
  for (const object of within(
    MAX_REFERENCED,
    [...elsewhere].map((number) => objects.get(number) ?? ''),
  )) {
    take(object.matchAll(ANY_STRING));
  }
  return targets;
}

/**
 * Returns the names of embedded files, by the number of their stream: of several names the one under which
 * the file would run.
 */
export function readEmbeddedNames({ objects }: PdfStructure): Map<number, string> {
  const names = new Map<number, string>();
  for (const object of within(MAX_REFERENCED, objects.values())) {
    if (!object.includes('/EF')) continue;
    const called = [...object.matchAll(TARGET)].map(([, literal, hex]) => toTarget(literal, hex));
    const name = called.find((one) => isProgramEnding(endingOf(one)) || isScriptName(one)) ?? called[0];
    for (const [, listed, number] of object.matchAll(FILES)) {
      const references = listed ?? objects.get(Number(number)) ?? '';
      for (const [, stream] of references.matchAll(ANY_REFERENCE)) {
        if (name !== undefined) names.set(Number(stream), name);
      }
    }
  }
  return names;
}

function* within(max: number, objects: Iterable<string>): Generator<string> {
  let left = max;
  for (const object of objects) {
    left -= object.length;
    if (left < 0) return;
    yield object;
  }
}

/**
 * Strings beyond Latin letters begin with a byte order mark and have two bytes per character (section
 * 7.9.2.2).
 */
function toTarget(literal: string | undefined, hex: string | undefined): string {
  const target = literal === undefined ? fromHex(hex ?? '') : fromLiteral(literal);
  return target
    .replace(/^\xfe\xff/, '')
    .replaceAll('\0', '')
    .trim();
}
