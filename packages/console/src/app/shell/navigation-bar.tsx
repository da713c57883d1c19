import { Burger } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { NAVIGATION_GROUPS, type Page, PageLink } from '../../kit/index.ts';
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
  const pathname = useLocation({ select: (location) => location.pathname });
  const shown = PAGES.filter((page) => page.navigation && can(page.scope));
  const current = currentPath(shown, pathname);
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
            current={current}
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

/** Returns the path of the page that is open, or in which an item is open: the longest one, as one page may be below another. */
function currentPath(pages: readonly Page[], pathname: string): string | undefined {
  return pages
    .map(({ path }) => path)
    .filter((path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`)))
    .sort((one, other) => other.length - one.length)[0];
}

function PageGroup({
  title,
  pages,
  current,
}: {
  readonly title: string;
  readonly pages: readonly Page[];
  readonly current: string | undefined;
}) {
  if (pages.length === 0) return null;
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
              <PageLink
                to={path}
                className={classes.link}
                aria-current={path === current ? 'page' : undefined}
              >
                {PageIcon && <PageIcon size={16} stroke={1.75} aria-hidden="true" />}
                {name}
              </PageLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
