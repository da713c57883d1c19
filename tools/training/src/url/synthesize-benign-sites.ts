import { synthesizeSiteName } from './site-names.ts';
import { synthesizePath } from './synthesize-benign-urls.ts';
import { guid, LOWER, MIXED, PLAIN_WORDS, type WordBag } from './word-bag.ts';

const SUBDOMAINS = `
  blog shop m en news forum api docs mail webmail cpanel static img cdn dev app portal my login secure support track
  click go
`
  .trim()
  .split(/\s+/);
const MAILING_SUBDOMAINS = 'click track links email r go news e'.split(' ');
const MAILING_SUFFIXES = 'com net io co de fr co.uk'.split(' ');
/** Suffixes of the sites of small businesses. */
const SUFFIXES = `
  com com com com com com net org de co.uk fr es it nl be ch at pl cz se no dk fi ie pt gr hu ro ru com.br com.mx com.ar
  com.co cl in co.in com.au co.nz co.za ca jp co.jp co.kr com.tr com.tw com.hk com.sg com.my co.th co.id ir ua by kz bg
  rs hr si sk lt lv ee us io dev app ai co me tv cloud tech blog page so to shop store online site club xyz top live
  life world today space fun vip digital agency studio center services company solutions network tokyo work help guru
  one email
`
  .trim()
  .split(/\s+/);
/** Returns a page on a subdomain of a small site, whose name need not be a word. */
export function synthesizeSubdomainPage(bag: WordBag): string {
  const subdomain = bag.chance(0.08)
    ? bag.one([bag.letters(LOWER, 3), bag.one(PLAIN_WORDS)])
    : bag.one(SUBDOMAINS);
  const name = bag.one([synthesizeSiteName, madeUpName])(bag);
  return `${subdomain}.${name}.${bag.one(SUFFIXES)}${bag.chance(0.6) ? synthesizePath(bag) : ''}`;
}

/** Returns a link of a newsletter or to a form, with a token that identifies the mail or the form. */
export function synthesizeMailingLink(bag: WordBag): string {
  const subdomain = bag.chance(0.2) ? bag.letters(LOWER, bag.number(4, 5)) : bag.one(MAILING_SUBDOMAINS);
  const path = bag.one([
    bag.letters(MIXED, bag.number(8, 60)),
    `c/${bag.letters(MIXED, 20)}`,
    `tracking/${bag.letters(MIXED, 40)}`,
    `ls/click?upn=${bag.letters(MIXED, 60)}`,
    `webform/${guid(bag)}/${guid(bag)}`,
    `${bag.one(['form', 'view', 'survey', 'u'])}/${guid(bag)}`,
    `f/a/${bag.letters(MIXED, 22)}~~/${bag.letters(MIXED, 12)}`,
  ]);
  return `${subdomain}.${synthesizeSiteName(bag)}.${bag.one(MAILING_SUFFIXES)}/${path}`;
}

function madeUpName(bag: WordBag): string {
  const syllable = () => bag.letters('bcdfghklmnprstvz', 1) + bag.letters('aeiou', 1);
  return bag.one([
    bag.letters(LOWER, bag.number(3, 6)),
    `${bag.letters(LOWER, 3)}-${bag.letters(LOWER, 4)}`,
    `${syllable()}${syllable()}${syllable()}`,
    `${bag.letters(LOWER, bag.number(2, 5))}${bag.number(1, 999)}`,
  ]);
}
