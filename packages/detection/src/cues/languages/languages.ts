import { ARABIC } from './arabic.ts';
import { CHINESE } from './chinese.ts';
import { HINDI } from './hindi.ts';
import { INDONESIAN } from './indonesian.ts';
import { JAPANESE } from './japanese.ts';
import { KOREAN } from './korean.ts';
import type { LanguageCues } from './language-cues.ts';
import { POLISH } from './polish.ts';
import { RUSSIAN } from './russian.ts';
import { SWEDISH } from './swedish.ts';
import { TAGALOG } from './tagalog.ts';
import { THAI } from './thai.ts';
import { TURKISH } from './turkish.ts';
import { VIETNAMESE } from './vietnamese.ts';

/** The languages whose cues are each in a separate file. */
export const LANGUAGES: readonly LanguageCues[] = [
  ARABIC,
  CHINESE,
  HINDI,
  INDONESIAN,
  JAPANESE,
  KOREAN,
  POLISH,
  RUSSIAN,
  SWEDISH,
  TAGALOG,
  THAI,
  TURKISH,
  VIETNAMESE,
];
