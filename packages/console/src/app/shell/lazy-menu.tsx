import { UnstyledButton } from '@mantine/core';
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo, useState } from 'react';

/** The content of a menu: renders it around its button, opened. */
type MenuContent = ComponentType<{ readonly target: ReactNode }>;

interface LazyMenuProps {
  readonly load: () => Promise<MenuContent>;
  readonly className: string | undefined;
  /** The content of the button. */
  readonly children: ReactNode;
}

/** A button whose menu is loaded when the pointer or the focus comes near: menus are not part of the first load. */
export function LazyMenu({ load, className, children }: LazyMenuProps) {
  const [isWanted, setWanted] = useState(false);
  const Content = useMemo(() => lazy(async () => ({ default: await load() })), [load]);
  const button = (
    <UnstyledButton
      className={className}
      aria-haspopup="menu"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      {children}
    </UnstyledButton>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <Content target={<UnstyledButton className={className}>{children}</UnstyledButton>} />
    </Suspense>
  );
}
