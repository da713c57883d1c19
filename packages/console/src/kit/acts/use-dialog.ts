import { useRouter, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Keeps in the address which dialog of a page is open (`?dialog=new`), so that it is open again after a reload or a new
 * sign-in.
 */
export function useDialog(name: string): {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
} {
  const router = useRouter();
  const { dialog } = useSearch({ strict: false }) as { readonly dialog?: string };
  const set = useCallback(
    (value: string | undefined) => {
      const search = (now: Record<string, unknown>) => ({ ...now, dialog: value });
      router.navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
    },
    [router],
  );
  return {
    isOpen: dialog === name,
    open: useCallback(() => set(name), [set, name]),
    close: useCallback(() => set(undefined), [set]),
  };
}
