import { Burger } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { NAVIGATION_GROUPS, type Page } from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { PAGES } from '../pages.ts';
import { AccountMenu } from './account-menu.tsx';
import classes from './navigation-bar.module.css';
import { ShortcutsButton } from './shortcuts-button.tsx';
import { TenantMenu } from './tenant-menu.tsx';

/** The way to every page that the person's role opens. On a narrow screen it opens from a button. */
export function NavigationBar({
  isOpen,
  onToggle,
}: {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const can = useCan();
  const shown = PAGES.filter((page) => page.navigation && can(page.scope));
  return (
    <header className={classes.bar} data-open={isOpen}>
      <div className={classes.head}>
        <TenantMenu />
        <Burger
          className={classes.burger}
          size="sm"
          opened={isOpen}
          onClick={onToggle}
          aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
          aria-expanded={isOpen}
        />
      </div>
      <nav className={classes.pages} aria-label="Pages">
        {NAVIGATION_GROUPS.map((group) => (
          <PageGroup
            key={group}
            title={group}
            pages={shown.filter((page) => page.navigation?.group === group)}
          />
        ))}
      </nav>
      <div className={classes.foot}>
        <ShortcutsButton />
        <AccountMenu />
      </div>
    </header>
  );
}

function PageGroup({ title, pages }: { readonly title: string; readonly pages: readonly Page[] }) {
  const current = useLocation({ select: ({ pathname }) => pathname });
  if (pages.length === 0) return null;
  /** Whether the address is below the page, but that of another page of the navigation. */
  const isOther = (path: string) =>
    pages.some((page) => page.path.startsWith(`${path}/`) && current.endsWith(page.path));
  return (
    <section aria-label={title}>
      <div className={classes.title} aria-hidden="true">
        {title}
      </div>
      <ul className={classes.list}>
        {pages.map(({ path, title: name, navigation }) => {
          const PageIcon = navigation?.icon;
          return (
            <li key={path}>
              <Link
                to={path}
                className={classes.link}
                activeOptions={{ exact: path === '/' || isOther(path) }}
              >
                {PageIcon && <PageIcon size={16} stroke={1.75} aria-hidden="true" />}
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
