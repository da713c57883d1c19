/** Undoes what people do to addresses so that nobody opens them by mistake: `hxxps[:]//evil[.]example`. */
export function refang(value: string): string {
  return value
    .replace(/^hxxp/i, 'http')
    .replace(/\[:\/\/\]|\[:\]\/\//g, '://')
    .replace(/\[(?:\.|dot)\]|\((?:\.|dot)\)|\{(?:\.|dot)\}/gi, '.')
    .replace(/\[:\]/g, ':');
}
