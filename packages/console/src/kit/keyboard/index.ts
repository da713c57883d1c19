export {
  KeyboardProvider,
  ShortcutLevel,
  useActiveShortcuts,
  useShortcuts,
  useShortcutsOn,
} from './keyboard-context.tsx';
export { keysOf, type Shortcut } from './shortcut-registry.ts';
