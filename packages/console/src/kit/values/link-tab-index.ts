import { createContext } from 'react';

/**
 * The `tabIndex` of links to objects. In a list, Tab enters the row of the cursor and then leaves: in the other rows it is -1, as
 * the grid pattern of WAI-ARIA asks.
 */
export const LinkTabIndex = createContext<-1 | undefined>(undefined);
