import '../mantine-more.css';
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { tenantPath, useSession } from '../../session/index.ts';

export function TenantMenuContent({ target }: { readonly target: ReactNode }) {
  const { tenants } = useSession();
  return (
    <Menu position="bottom-start" width={240} defaultOpened>
      <Menu.Target>{target}</Menu.Target>
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
