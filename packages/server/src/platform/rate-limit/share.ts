/** A part of a tenant's limit: that of one kind of caller. */
export type Part = 'programs' | 'devices' | 'people';
export type PerPart = Readonly<Record<Part, number>>;

/** What a request may use of a limit that several parts share. */
export interface Share {
  readonly part: Part;
  /** The caller within the part: a device, a person, an OAuth client or a token. */
  readonly holder: string;
  /** What one holder may use; undefined: as much as the part. */
  readonly holderLimit?: number | undefined;
  /**
   * What each part keeps for itself. That of devices always holds, those of programs and people while the part is in
   * use.
   */
  readonly reserves: PerPart;
}

/** After this time without a request, a part or a holder is not in use any more. */
export const IN_USE_MS = 10 * 60_000;

/** Use of the limit by others. */
export interface Others {
  /** Whether a part was in use lately. */
  readonly isInUse: (part: Part) => boolean;
  /** Whether other holders of the part were in use lately. */
  readonly isShared: boolean;
}

/** What a request may use, before anything is counted. */
export interface Rule {
  readonly limit: number;
  /** Undefined: the whole limit. */
  readonly share: Share | undefined;
  /** What the other parts keep. */
  readonly kept: PerPart;
  /** What the holder leaves to others of its part. */
  readonly leaves: number;
}

/** Admissions in the window: by part, and those of the holder who asks. */
export interface Usage {
  readonly used: PerPart;
  readonly own: number;
}

/** What is left to a holder. */
export interface Allowance {
  /** The limit that leaves the fewest requests. */
  readonly limit: number;
  /** Not positive if nothing is left. */
  readonly remaining: number;
}

/**
 * Computes what a request may use. While a part has several holders, each of them leaves a sixth to the others. Pure. The
 * function `admit_shares` of the store computes the same.
 */
export function toRule(limit: number, { isInUse, isShared }: Others, share?: Share): Rule {
  const of = (part: Part, holds: boolean) =>
    share !== undefined && share.part !== part && holds ? share.reserves[part] : 0;
  const kept = {
    programs: of('programs', isInUse('programs')),
    devices: of('devices', true),
    people: of('people', isInUse('people')),
  };
  const allowed = limit - sumOf(kept);
  const leaves = isShared ? allowed - Math.max(1, Math.floor((allowed * 5) / 6)) : 0;
  return { limit, share, kept, leaves };
}

/** Computes the rest of the limit. Of each part, its admissions count, or its reserve if that is more. Pure. */
export function toAllowance(rule: Rule, usage: Usage): Allowance {
  const { limit, share, kept, leaves } = rule;
  const ofPart = leftOfPart(rule, usage);
  const ofHolder = leftOfHolder(rule, usage);
  if (share === undefined || ofHolder >= ofPart) {
    const isLeaving = share !== undefined && usage.own + leaves > usage.used[share.part];
    return { limit: limit - sumOf(kept) - (isLeaving ? leaves : 0), remaining: ofPart };
  }
  return { limit: share.holderLimit ?? limit, remaining: ofHolder };
}

/** Whether one more request is admitted. Pure. */
export function hasLeft(rule: Rule, usage: Usage): boolean {
  return leftOfPart(rule, usage) > 0 && leftOfHolder(rule, usage) > 0;
}

function leftOfPart({ limit, share, kept, leaves }: Rule, { used, own }: Usage): number {
  const taken = (part: Part) => Math.max(used[part], share?.part === part ? own + leaves : kept[part]);
  return limit - taken('programs') - taken('devices') - taken('people');
}

function leftOfHolder({ share }: Rule, { own }: Usage): number {
  return (share?.holderLimit ?? Number.POSITIVE_INFINITY) - own;
}

function sumOf({ programs, devices, people }: PerPart): number {
  return programs + devices + people;
}
