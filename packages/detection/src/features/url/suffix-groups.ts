/** The kinds of public suffix. */
export const SUFFIX_GROUPS = [
  'com',
  'old', // net, org, info …
  'institution', // gov, edu, mil
  'country', // of two letters, or under one
  'free', // given away for years
  'cheap', // sold for next to nothing, and often abused
  'technical', // io, dev, app, ai …
  'new',
] as const;
export type SuffixGroup = (typeof SUFFIX_GROUPS)[number];

const OLD = new Set('net org info biz name pro coop aero museum mobi jobs travel cat tel asia'.split(' '));
const INSTITUTION = new Set('gov edu mil int ac'.split(' '));
const FREE = new Set('tk ml ga cf gq'.split(' '));
const TECHNICAL = new Set('io dev app ai co me tv fm gg so sh to ly page cloud tech blog'.split(' '));
/** By public yearly reports on abuse per registered name. */
const CHEAP = new Set(
  (
    'top xyz shop icu cyou cfd sbs vip club online site website store live buzz monster rest bond lol click link help world ' +
    'today life digital space fun work quest beauty hair makeup skin motorcycles autos boats homes win bid loan men date ' +
    'review stream download racing party trade science cricket faith accountant webcam cc ws pw su lat qpon cam bar one uno ' +
    'tokyo support center services company network solutions agency zone ink wiki run team finance pics pictures mom christmas ' +
    'best art cash credit ltd group press asia gdn mobi host fit yachts locker black yoga baby run properties pink blue red green quest sale deals discount limited holdings ventures solutions systems international guru today rocks loans credit codes email express exchange plus works ninja foundation place'
  ).split(' '),
);

/** Returns the group of a public suffix such as `com` or `co.uk`. */
export function suffixGroup(suffix: string): SuffixGroup {
  const dot = suffix.lastIndexOf('.');
  const top = suffix.slice(dot + 1);
  const second = dot > 0 ? suffix.slice(suffix.lastIndexOf('.', dot - 1) + 1, dot) : '';
  if (
    INSTITUTION.has(top) ||
    INSTITUTION.has(second) ||
    second === 'go' ||
    second === 'gob' ||
    second === 'gouv'
  )
    return 'institution';
  if (top === 'com') return 'com';
  if (FREE.has(top)) return 'free';
  if (CHEAP.has(top)) return 'cheap';
  if (TECHNICAL.has(top) && dot < 0) return 'technical';
  if (OLD.has(top)) return 'old';
  return top.length === 2 ? 'country' : 'new';
}

/**
 * Countries with many shops and banks under their own suffix: a brand there is probably the company itself.
 */
const LARGE = new Set(
  'de uk fr it es nl be at ch pl se no dk fi ie pt cz hu ro gr eu us ca au nz jp kr in br mx ar cl za sg my hk tw id th tr ru il ae'.split(
    ' ',
  ),
);

/** Returns whether well-known companies use such a suffix. */
export function isUsualForCompanies(suffix: string): boolean {
  const top = suffix.slice(suffix.lastIndexOf('.') + 1);
  const group = suffixGroup(suffix);
  return (
    group === 'com' ||
    group === 'institution' ||
    group === 'technical' ||
    top === 'net' ||
    top === 'org' ||
    LARGE.has(top)
  );
}
