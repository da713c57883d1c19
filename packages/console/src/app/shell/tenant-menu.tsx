import { Menu, UnstyledButton } from '@mantine/core';
import { IconSelector, IconShieldCheck } from '@tabler/icons-react';
import { tenantPath, useSession } from '../../session/index.ts';
import classes from './tenant-menu.module.css';

/** The tenant whose data is shown, and the way to another one. Each opens with its own address. */
export function TenantMenu() {
  const { tenant, tenants } = useSession();
  if (tenants.length < 2) {
    return (
      <div className={classes.tenant}>
        <TenantName name={tenant.name} />
      </div>
    );
  }
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.tenant}>
          <TenantName name={tenant.name} />
          <IconSelector size={14} aria-label="Change the tenant" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {tenants.map(({ id, name, role }) => (
          <Menu.Item key={id} component="a" href={`${tenantPath(id)}/`} rightSection={<small>{role}</small>}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function TenantName({ name }: { readonly name: string }) {
  return (
    <>
      <IconShieldCheck size={18} stroke={1.75} className={classes.mark} aria-hidden="true" />
      <span className={classes.name}>{name}</span>
    </>
  );
}
