import { BRANDS } from '@tps/detection/training';
import { HEX, LOWER, MIXED, PLAIN_WORDS, type WordBag } from './word-bag.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const NAMES = BRANDS.filter(({ name, wholeWordOnly }) => name.length >= 4 && !wholeWordOnly).map(
  ({ name }) => name,
);
/** Suffixes under which few companies have their pages, and names are cheap to register. */
const ODD = `
  com.ge com.py com.am com.ml com.et com.kz com.ly com.gl com.gr com.ua com.pe com.ve com.bo com.do com.ec gl tc
  gg sc ws st la bz pe lat in to cx gd ms vc nu cm co.ke co.bw co.ve ky sx ac ad ax dj lc mn sr tk
`
  .trim()
  .split(/\s+/);
/** Gateways that show any file of IPFS under its address. */
const GATEWAYS = `
  ipfs.io dweb.link cloudflare-ipfs.com gateway.pinata.cloud gateway.ipfs.io cf-ipfs.com nftstorage.link w3s.link
  ipfs.eth.aragon.network ipfs.fleek.co hardbin.com infura-ipfs.io storry.tv 4everland.io
`
  .trim()
  .split(/\s+/);
const PAGES = `
  login signin sign_in Sign_in index home main verify update confirm auth secure account info page send start payment
  pay msg card sms otp code loading step1 acc logon webmail owa mail office invoice document file view track tracking
  colis livraison paiement entrar acesso acceso ingresar inicio accueil portal cliente validation update-info dispatch
`
  .trim()
  .split(/\s+/);
const FOLDERS = `
  app apps web login pages client Client portal secure auth account en fr es de us uk pt it nl img images css js assets
  files doc docs cloud online update verify mobile m pc bank wp old new test tmp temp cache includes inc lib core data
  wp-content wp-includes wp-admin wp-content/uploads wp-content/plugins wp-includes/js wp-includes/Text .well-known cgi-bin
  public storage modules templates vendor system admin media uploads
`
  .trim()
  .split(/\s+/);

/** The forms of genuine pages that copies of well-known sites keep, so that the link looks familiar. */
const MIRRORED: readonly ((bag: WordBag) => string)[] = [
  (bag) =>
    `games/${bag.number(1_000_000, 199_999_999_999_999)}/${title(bag)}?privateServerLinkCode=${bag.letters('0123456789', 38)}`,
  (bag) => `games/${bag.number(1_000_000, 199_999_999_999_999)}/${title(bag)}`,
  (bag) =>
    `${bag.one(['communities', 'groups', 'users'])}/${bag.number(1_000_000, 9_999_999_999)}/${bag.chance(0.3) ? 'profile' : title(bag)}`,
  (bag) =>
    `${bag.one(['reel', 'p', 'tv'])}/${bag.letters(MIXED, 11)}/${bag.chance(0.5) ? `?igsh=${bag.letters(MIXED, 16)}` : ''}`,
  (bag) => `tradeoffer/new/?partner=${bag.number(10_000_000, 999_999_999)}&token=${bag.letters(MIXED, 8)}`,
  (bag) =>
    `${bag.one(['sharedfiles/filedetails', 'workshop', 'profiles', 'gift'])}/${bag.number(10_000_000, 999_999_999)}`,
  (bag) => `watch?v=${bag.letters(MIXED, 11)}`,
  (bag) => `invite/${bag.letters(MIXED, 8)}`,
  (bag) =>
    `gp/${bag.one(['history', 'your-account', 'css', 'cart'])}?ref_=nav_${bag.one(['AccountFlyout', 'youraccount', 'cart'])}`,
  (bag) => `share/${bag.letters(MIXED, 10)}/`,
];

const PAGE_FORMS: readonly ((bag: WordBag) => string)[] = [
  // Copies of well-known sites.
  (bag) => `${bag.one(NAMES)}.${bag.one(ODD)}/${bag.one(MIRRORED)(bag)}`,
  (bag) =>
    `${lookAlike(bag.one(NAMES), bag)}.${bag.one([...ODD, 'com', 'com', 'net', 'org'])}/${bag.one(MIRRORED)(bag)}`,
  (bag) => `${bag.one(NAMES)}.${bag.one(ODD)}`,
  // Files of IPFS behind a gateway.
  (bag) => `${bag.one(GATEWAYS)}/ipfs/${contentId(bag)}${bag.chance(0.4) ? `/${bag.one(PAGES)}.html` : ''}`,
  (bag) => `${contentId(bag)}.ipfs.${bag.one(GATEWAYS)}${bag.chance(0.3) ? `/${bag.one(PAGES)}.html` : ''}`,
  // Hosts that a provider names, before a customer has a domain.
  (bag) =>
    `${bag.letters(LOWER, 3)}.${bag.letters(LOWER, 3)}.${bag.one(['mybluehost.me', 'temporary.site', 'mytemp.website'])}/${bag.chance(0.5) ? `website_${bag.letters(HEX, 8)}/` : ''}${folders(bag)}/${bag.one(PAGES)}.php`,
  (bag) =>
    `${bag.one(PLAIN_WORDS)}-${bag.one(PLAIN_WORDS)}-${bag.one(PLAIN_WORDS)}-${bag.one(PLAIN_WORDS)}.trycloudflare.com${bag.chance(0.3) ? `/${bag.one(PAGES)}.html` : ''}`,
  (bag) => `${bag.one(PLAIN_WORDS)}-${bag.one(PLAIN_WORDS)}.pages.dev`,
  (bag) =>
    `${bag.one(['eu2', 'usc1', 'sin1', 'f003', 'f005'])}.${bag.one(['contabostorage.com', 'backblazeb2.com'])}/${bag.one([`${bag.letters(HEX, 32)}:${bag.letters(LOWER, 7)}`, `file/${bag.letters(LOWER, 10)}`])}/${bag.letters(LOWER, 6)}.html`,
];

/**
 * Returns a link that is suspicious by the form of its page: a path copied from a well-known site, a file of IPFS, or a
 * page under a name that a provider gave. They were written after public reporting, and after looking at phishing
 * links of months before those held out.
 */
export function synthesizePageForm(bag: WordBag): string {
  return bag.one(PAGE_FORMS)(bag);
}

function title(bag: WordBag): string {
  return Array.from({ length: bag.number(1, 4) }, () => {
    const word = bag.one(PLAIN_WORDS);
    return bag.chance(0.2) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
  }).join('-');
}

/** The address of content in IPFS: version 1 of a directory or a file, or version 0. */
function contentId(bag: WordBag): string {
  return bag.one([
    `bafybei${bag.letters(BASE32, 52)}`,
    `bafkrei${bag.letters(BASE32, 52)}`,
    `Qm${bag.letters(MIXED, 44)}`,
  ]);
}

function folders(bag: WordBag): string {
  return Array.from({ length: bag.number(1, 3) }, () =>
    bag.one([
      bag.one(FOLDERS),
      bag.one(FOLDERS),
      bag.one(NAMES),
      bag.letters(LOWER, bag.number(2, 7)),
      bag.letters(HEX, 7),
    ]),
  ).join('/');
}

function lookAlike(name: string, bag: WordBag): string {
  const at = bag.number(1, name.length - 1);
  const letter = name.charAt(at);
  const others: Readonly<Record<string, readonly string[]>> = {
    l: ['i', '1'],
    i: ['l', '1'],
    o: ['0', 'oo'],
    m: ['rn', 'n'],
    a: ['e', 'aa'],
    e: ['a', '3'],
    n: ['m', 'nn'],
    t: ['f', 'tt'],
  };
  return name.slice(0, at) + bag.one([letter + letter, ...(others[letter] ?? [''])]) + name.slice(at + 1);
}
