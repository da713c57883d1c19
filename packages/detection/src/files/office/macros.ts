/** Names of macros that run by themselves (Microsoft's documentation of Word, Excel and PowerPoint). */
const STARTS =
  /Auto_?(?:Open|Exec|Close|New)|Document_?(?:Open|Close)|Workbook_?(?:Open|Activate|BeforeClose)|DocumentChange/i;

/** Clause on a document that was read but for its macros. */
export const MACROS_UNREAD = 'what the macros in it do is not worked out here';

/** Whether macros run when the document is opened, by the names that stand in them or in the document's list of names. */
export function runsOnOpen(code: string): boolean {
  return STARTS.test(code);
}
