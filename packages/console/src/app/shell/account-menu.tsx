import { IconUserCircle } from '@tabler/icons-react';
import { useSession } from '../../session/index.ts';
import classes from './account-menu.module.css';
import { LazyMenu } from './lazy-menu.tsx';

/** The signed-in person, their account, the look of the console, and the way out. */
export function AccountMenu() {
  const { account, role } = useSession();
  return (
    <LazyMenu load={loadContent} className={classes.account}>
      <IconUserCircle size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.name}>{account.name}</span>
      <span className={classes.role}>{role}</span>
    </LazyMenu>
  );
}

async function loadContent() {
  return (await import('./account-menu-content.tsx')).AccountMenuContent;
}
