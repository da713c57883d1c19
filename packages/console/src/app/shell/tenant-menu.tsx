import { IconSelector, IconShieldCheck } from '@tabler/icons-react';
import { useSession } from '../../session/index.ts';
import { LazyMenu } from './lazy-menu.tsx';
import classes from './tenant-menu.module.css';

/** The tenant whose data is shown, and the way to another one. Each opens with its own address. */
export function TenantMenu() {
  const { tenant, tenants } = useSession();
  const name = (
    <>
      <IconShieldCheck size={18} stroke={1.75} className={classes.mark} aria-hidden="true" />
      <span className={classes.name}>{tenant.name}</span>
    </>
  );
  if (tenants.length < 2) return <div className={classes.tenant}>{name}</div>;
  return (
    <LazyMenu load={loadContent} className={classes.tenant}>
      {name}
      <IconSelector size={14} aria-label="Change the tenant" />
    </LazyMenu>
  );
}

async function loadContent() {
  return (await import('./tenant-menu-content.tsx')).TenantMenuContent;
}
