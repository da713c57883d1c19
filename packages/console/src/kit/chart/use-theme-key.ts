import { useSyncExternalStore } from 'react';

const ATTRIBUTES = ['data-mantine-color-scheme', 'data-contrast'];

/** Returns a text that changes with the theme, for what is drawn and not styled. */
export function useThemeKey(): string {
  return useSyncExternalStore(subscribe, () =>
    ATTRIBUTES.map((name) => document.documentElement.getAttribute(name)).join(' '),
  );
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ATTRIBUTES });
  return () => observer.disconnect();
}
