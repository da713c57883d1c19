/** Parses a line of the Common Event Format. @throws Error when it is not valid */
export function parseCef(line: string): { header: string[]; extension: Record<string, string> } {
  const found = /^CEF:0\|((?:[^|\\]|\\[|\\])*\|){6}/.exec(line);
  if (!found) throw new Error(`no CEF header: ${line.slice(0, 80)}`);
  const header = found[0]
    .slice('CEF:0|'.length, -1)
    .split(/(?<=(?:^|[^\\])(?:\\\\)*)\|/)
    .map((field) => field.replace(/\\([|\\])/g, '$1'));
  const extension: Record<string, string> = {};
  for (const pair of line.slice(found[0].length).split(/ (?=[A-Za-z0-9]+=)/)) {
    const [, key = '', value = ''] = /^([A-Za-z0-9]+)=(.*)$/s.exec(pair) ?? [];
    extension[key] = value.replace(/\\([\\=n])/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
  }
  return { header, extension };
}
