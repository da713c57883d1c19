import { type Collector, ImportError } from './collector.ts';
import { type PlainObject, textsOf, toList, toObject, toOptionalText } from './plain-object.ts';

/**
 * Reads tools in LOLRMM's format: one document each. Imports domains and files of remote management tools,
 * all of them dual-use, but not the certificates: vendors sign all their products with them.
 */
export function readLolrmm(documents: readonly unknown[], collector: Collector): void {
  const tools = documents
    .map(toObject)
    .filter(({ Name, Artifacts }) => Name !== undefined && Artifacts !== undefined);
  if (tools.length === 0) throw new ImportError('this is not a description of tools in the LOLRMM format');
  for (const tool of tools) readTool(tool, collector);
}

function readTool(tool: PlainObject, collector: Collector): void {
  const label = toOptionalText(tool.Name);
  const where = label ?? 'a tool without a name';
  const common = { where, label, threatType: 'remote_access_tool', dualUse: true } as const;
  const names = toList(toObject(tool.Artifacts).Network).flatMap((each) => textsOf(toObject(each).Domains));
  for (const name of names) {
    if (name === 'user_managed') continue;
    const value = name.replace(/^\*\./, '').replace(/:\d{1,5}$/, '');
    collector.add({ ...common, type: value.includes('/') ? 'url' : 'domain', value });
  }
  for (const each of toList(toObject(tool.CodeSigning).certificates)) {
    const value = toOptionalText(toObject(each).src_file_sha256);
    if (value !== undefined) collector.add({ ...common, type: 'sha256', value });
  }
}
