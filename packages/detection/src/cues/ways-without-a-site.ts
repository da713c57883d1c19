import { parsePhrases } from './parse-phrases.ts';

/**
 * What a scam mentions that asks for something without its own site: a code, a payment that cannot be reversed, a
 * call, secrecy, another messenger. A mention is enough, because a message that contains one is not trusted; the
 * cues that are shown to people have to be requests.
 */
const MENTIONS = parsePhrases(`
  gift card, gift cards, itunes card, steam card, steam cards, google play card, apple card, bitcoin,
  btc, usdt, ethereum, crypto wallet, wire transfer, western union, moneygram, zelle, cash app,
  cashapp, venmo, bank transfer, prepaid card, scratch the back, bitcoin atm,
  press 1, press one, press 2, press 9, call us, call now, call back, call this number, toll free,
  call immediately, call our, please call, call me back, give us a call, our number is,
  call the number, call support, return the call, return our call, contact us at, call to, call on,
  call microsoft, keep this between us, between us, do not tell, dont tell, strictly confidential,
  confidential, do not mention, dont mention, keep it secret, keep this private, in a meeting,
  cannot talk, cant talk, whatsapp, telegram, add me, on signal, wechat, line id, text me on,
  message me on, contact me on, save my number, new number`);
/** Names of a one-time code, and verbs that ask for it. */
const CODE_WORDS = new Set(['code', 'codes', 'otp', 'passcode', 'pin', 'tan', 'kode', 'codigo']);
const ASKING = new Set(
  parsePhrases('send, share, tell, forward, give, reply, read, provide, text, screenshot'),
);
const NEGATING = /^(?:never|not|dont|nobody|anyone|wont)$/;
/** Words between the verb and the code: "send me the 6 digit code". */
const ASKING_REACH = 9;
const MAX_MENTION_WORDS = Math.max(...MENTIONS.map((mention) => mention.split(' ').length));
const MENTIONED: ReadonlySet<string> = new Set(MENTIONS);
const FIRST_WORDS: ReadonlySet<string | undefined> = new Set(
  MENTIONS.map((mention) => mention.split(' ')[0]),
);

/** Returns whether the words mention a way to reach the aim of a scam without its own site. */
export function mentionsOtherWay(words: readonly string[]): boolean {
  return asksForCode(words) || words.some((_, at) => startsMention(words, at));
}

function startsMention(words: readonly string[], at: number): boolean {
  if (!FIRST_WORDS.has(words[at])) return false;
  for (let count = 1; count <= MAX_MENTION_WORDS; count += 1) {
    if (MENTIONED.has(words.slice(at, at + count).join(' '))) return true;
  }
  return false;
}

/** "Send me the code" is a request; "never share this code" is the genuine message that carries one. */
function asksForCode(words: readonly string[]): boolean {
  return words.some((word, index) => {
    if (!ASKING.has(word) || isNegated(words, index)) return false;
    return words.slice(index + 1, index + 1 + ASKING_REACH).some((later) => CODE_WORDS.has(later));
  });
}

function isNegated(words: readonly string[], index: number): boolean {
  return words.slice(Math.max(0, index - 4), index).some((word) => NEGATING.test(word));
}
