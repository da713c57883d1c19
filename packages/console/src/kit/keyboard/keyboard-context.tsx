import { useLocalStorage } from '@mantine/hooks';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react';
import { isTaken } from './is-taken.ts';
import { keyOfEvent } from './key-of-event.ts';
import { createShortcutRegistry, keysOf, type Shortcut, type ShortcutRegistry } from './shortcut-registry.ts';

const KeyboardContext = createContext<ShortcutRegistry | undefined>(undefined);

/** How near the reader what is inside is: its shortcuts are asked before those of a lower level. */
export const ShortcutLevel = createContext(0);

/** Listens for the shortcuts of everything below it. There is one, around the whole console. */
export function KeyboardProvider({ children }: { readonly children: ReactNode }) {
  const registry = useMemo(createShortcutRegistry, []);
  const [isOn] = useShortcutsOn();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyOfEvent(event);
      if (event.defaultPrevented || event.isComposing || isTaken(key, event.target)) return;
      // People who dictate may switch single keys off (WCAG 2.1.4).
      if (!isOn && key.replace('Shift+', '').length === 1) return;
      if (registry.press(key, event)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [registry, isOn]);
  return <KeyboardContext value={registry}>{children}</KeyboardContext>;
}

/** Whether shortcuts of a single key act. Kept by the browser. */
export function useShortcutsOn(): [boolean, (isOn: boolean) => void] {
  const [value, setValue] = useLocalStorage({
    key: 'tps-shortcuts',
    defaultValue: 'on',
    getInitialValueInEffect: false,
  });
  return [value !== 'off', (isOn) => setValue(isOn ? 'on' : 'off')];
}

/** Adds shortcuts while the component is shown. They may be created in each render. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const registry = useRegistry();
  const level = useContext(ShortcutLevel);
  const latest = useRef(shortcuts);
  // Before the browser draws what they act on: a key that is pressed at once acts on what is shown.
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  const shape = JSON.stringify(shortcuts.map(({ keys, label, group }) => [keys, label, group]));
  useLayoutEffect(() => {
    const parts = JSON.parse(shape) as readonly [Shortcut['keys'], string, string][];
    return registry.add(
      parts.map(([keys, label, group]) => ({
        keys,
        label,
        group,
        run: (event) =>
          latest.current.find((one) => keysOf(one).join() === keysOf({ keys }).join())?.run(event) ??
          undefined,
      })),
      level,
    );
  }, [registry, shape, level]);
}

/** Returns the shortcuts that act now, for `?`. */
export function useActiveShortcuts(): readonly Shortcut[] {
  const registry = useRegistry();
  return useSyncExternalStore(registry.subscribe, registry.active);
}

function useRegistry(): ShortcutRegistry {
  const registry = useContext(KeyboardContext);
  if (!registry) throw new Error('KeyboardProvider is missing');
  return registry;
}
