export { removed } from './acts/attempt.ts';
export { ConfirmByName } from './acts/confirm-by-name.tsx';
export { ConfirmDialog } from './acts/confirm-dialog.tsx';
export { CreateDialog } from './acts/create-dialog.tsx';
export { DialogButton } from './acts/dialog-button.tsx';
export { EndingList } from './acts/ending-list.tsx';
export { newSecret } from './acts/new-secret.ts';
export { OverlapDialog } from './acts/overlap-dialog.tsx';
export { SecretOnce } from './acts/secret-once.tsx';
export { useAct } from './acts/use-act.ts';
export { useDialog } from './acts/use-dialog.ts';
export * from './chart/index.ts';
export { DetailLayout } from './detail/detail-layout.tsx';
export { detailPage } from './detail/detail-page.tsx';
export { Facts } from './detail/facts.tsx';
export { LinkList, Marks } from './detail/link-list.tsx';
export { Section } from './detail/section.tsx';
export { Form, type FormProps } from './forms/form.tsx';
export { clearDraft, useDraft } from './forms/use-draft.ts';
export { History } from './history/history.tsx';
export {
  KeyboardProvider,
  keysOf,
  type Shortcut,
  useActiveShortcuts,
  useShortcuts,
  useShortcutsOn,
} from './keyboard/index.ts';
export * from './list/index.ts';
export { loadPart } from './load-part.ts';
export { NAVIGATION_GROUPS, type Page } from './page.ts';
export { PageLayout } from './page-layout.tsx';
export { EmptyState } from './states/empty-state.tsx';
export { ErrorState } from './states/error-state.tsx';
export { wordsOfError } from './states/error-words.ts';
export { isRunning } from './states/is-running.ts';
export { QueryState } from './states/query-state.tsx';
export { Actor, actorText } from './values/actor.tsx';
export { CHAIN_TONES } from './values/chain-tones.ts';
export { CopyButton } from './values/copy-button.tsx';
export { IdLink } from './values/id-link.tsx';
export { IdList } from './values/id-list.tsx';
export { pageOfId } from './values/id-pages.ts';
export { keyText } from './values/key-text.ts';
export { LinkedText } from './values/linked-text.tsx';
export { PageLink } from './values/page-link.tsx';
export { Severity } from './values/severity.tsx';
export { Snippet } from './values/snippet.tsx';
export { StatusBadge, type Tone } from './values/status-badge.tsx';
export { TimeValue } from './values/time-value.tsx';
export { toDateTime, toDuration } from './values/time-words.ts';
export { toCount, toPercent, toWords } from './values/words.ts';
