/** Shortens a time of the API to seconds: `2026-03-01T09:30:00Z`. Other text is unchanged. */
export function toShortTime(time: string | null | undefined): string {
  return time?.replace(/\.\d+Z$/, 'Z') ?? '';
}
