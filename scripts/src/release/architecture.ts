/** A processor that a release supports, as Node.js names it. */
export type Architecture = 'x64' | 'arm64';

export const ARCHITECTURES: readonly Architecture[] = ['x64', 'arm64'];
