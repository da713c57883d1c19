/**
 * Restores defanged URLs, which people write so that they are not opened by mistake:
 * `hxxps[:]//evil[.]example`.
 */
export function refang(value: string): string {
  return value
    .replace(/^hxxp/i, 'http')
    .replace(/\[:\/\/\]|\[:\]\/\//g, '://')
    .replace(/\[(?:\.|dot)\]|\((?:\.|dot)\)|\{(?:\.|dot)\}|\[\.|\.\]|\\\./gi, '.')
    .replace(/\[\/\]/g, '/')
    .replace(/\[:\]/g, ':');
}
