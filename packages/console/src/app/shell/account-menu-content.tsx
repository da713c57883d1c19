import '../mantine-more.css';
import { Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useAct } from '../../kit/index.ts';
import { accountPage, CONSOLE_PATH, clearStorage, endSession, useSession } from '../../session/index.ts';
import classes from './account-menu.module.css';
import { useContrast } from './use-contrast.ts';

export function AccountMenuContent({ target }: { readonly target: ReactNode }) {
  const { account } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [contrast, setContrast] = useContrast();
  const signOut = useAct({
    run: endSession,
    changes: [],
    onDone: () => {
      clearStorage();
      // Not back to this page: the next person at this computer may be another one.
      location.replace(`${CONSOLE_PATH}/`);
    },
  });
  return (
    <Menu position="top-start" width={260} closeOnItemClick={false} defaultOpened>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {account.email}
          {!account.email_verified && ' (not verified)'}
        </Menu.Label>
        <Menu.Item component="a" href={accountPage('account')}>
          Account, passkeys and sessions
        </Menu.Item>
        <Menu.Divider />
        <div className={classes.choice}>
          <Text size="xs" c="dimmed" id="theme-label">
            Theme
          </Text>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby="theme-label"
            value={colorScheme}
            onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
            data={[
              { value: 'auto', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
          <Text size="xs" c="dimmed" id="contrast-label">
            Contrast
          </Text>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby="contrast-label"
            value={contrast}
            onChange={(value) => setContrast(value as typeof contrast)}
            data={[
              { value: 'auto', label: 'System' },
              { value: 'normal', label: 'Normal' },
              { value: 'high', label: 'High' },
            ]}
          />
        </div>
        <Menu.Divider />
        <Menu.Item
          onClick={() => signOut.mutate()}
          disabled={signOut.isPending}
          leftSection={<IconLogout size={16} aria-hidden="true" />}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
