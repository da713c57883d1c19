import type { Icon } from '@tabler/icons-react';
import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '@tps/client';
import type { ComponentType } from 'react';

/** A page of the console. `app/pages.ts` lists all of them: router, navigation and tests walk that list. */
export interface Page {
  /** Below the tenant, such as `/incidents` or `/incidents/$id`. */
  readonly path: string;
  /** Shown in the navigation and where the page cannot be opened. */
  readonly title: string;
  /** The scope that reading the page takes. Without it, the page says so and the navigation leaves it out. */
  readonly scope: string;
  /** Loads the code of the page when it is first opened. */
  readonly load: () => Promise<ComponentType>;
  /** Begins to read what the page shows, when it is the first page: its code is then still on its way. */
  readonly prefetch?: (client: Client, queries: QueryClient) => void;
  /** Where the page is in the navigation. Pages of one object have none. */
  readonly navigation?: { readonly group: NavigationGroup; readonly icon: Icon };
}

export const NAVIGATION_GROUPS = ['Watch', 'Triage', 'Protect', 'Integrate', 'Administer'] as const;
type NavigationGroup = (typeof NAVIGATION_GROUPS)[number];
