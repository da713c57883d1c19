import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';

type Contrast = 'auto' | 'normal' | 'high';

/** The contrast that the person has chosen; `auto` follows the system. Sets `data-contrast` of the page. */
export function useContrast(): [Contrast, (contrast: Contrast) => void] {
  const [contrast, setContrast] = useLocalStorage<Contrast>({
    key: 'tps-contrast',
    defaultValue: 'auto',
    getInitialValueInEffect: false,
  });
  const wantsMore = useMediaQuery('(prefers-contrast: more)', false, { getInitialValueInEffect: false });
  const isHigh = contrast === 'high' || (contrast === 'auto' && wantsMore);
  useEffect(() => {
    document.documentElement.dataset.contrast = isHigh ? 'high' : 'normal';
  }, [isHigh]);
  return [contrast, setContrast];
}
