/** Names of macros that run automatically (Microsoft's documentation of Word, Excel and PowerPoint). */
const STARTS =
  /Auto_?(?:Open|Exec|Close|New)|Document_?(?:Open|Close)|Workbook_?(?:Open|Activate|BeforeClose)|DocumentChange/i;

/** A clause for a document whose macros were not analyzed. */
export const MACROS_UNREAD = 'its macros are not analyzed';

/**
 * Returns whether macros run when the document is opened, by the names in them or in the document's list of
 * names.
 */
export function runsOnOpen(code: string): boolean {
  return STARTS.test(code);
}
