const FIELDS =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true]';

/** What keeps its keys: an open dialog or menu, and lists of choices. */
const OWN_KEYS = '[aria-modal=true], [role=menu], [role=listbox], [role=slider]';

/** What a person can press with Enter or the space bar. */
const PRESSABLE = 'a[href], button, summary, [role=button], [role=checkbox]';

/** Returns whether a key belongs to the element that has the focus, so that no shortcut may take it. */
export function isTaken(key: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(OWN_KEYS)) return true;
  if (target.closest(FIELDS)) return true;
  return (key === 'Enter' || key === ' ') && target.closest(PRESSABLE) !== null;
}
