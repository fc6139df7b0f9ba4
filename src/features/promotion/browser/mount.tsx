import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import type { Layout } from '../../../web/overlays/layout.ts';
import { deviceOf } from '../../../web/state/device.ts';
import type { Promotion } from '../promotion.ts';
import { type Install, useInstall } from './install-prompt.ts';
import { useTipTime } from './tip-time.ts';

/** The page's own needs come first. */
const delayMs = 100;

const wide = '(min-width: 1025px)';

function subscribe(listener: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

const presentLayout = (): Layout =>
  matchMedia(wide).matches && deviceOf(navigator.userAgent) === 'desktop' ? 'desktop' : 'mobile';

/** The layout of the window; null on the server and while the page is taken over. */
const useLayout = () => useSyncExternalStore(subscribe, presentLayout, () => null);

interface ExtrasProps {
  readonly promotion: Promotion;
  readonly layout: Layout;
  /** Whether tips may come. */
  readonly isTipTime: boolean;
  readonly install: Install;
}

/**
 * Mounts a page's promotion, a moment after hydration. Only this module is loaded with a page with promotion; the rest
 * is loaded once there is something to show in this window and to this visitor.
 */
export function PromotionMount({ promotion }: Pick<ExtrasProps, 'promotion'>) {
  const layout = useLayout();
  const [loaded, setLoaded] = useState<{ readonly Extras: ComponentType<ExtrasProps> } | null>(null);
  const hasTips = promotion.cards?.tips === true;
  const isTipTime = useTipTime(hasTips);
  const install = useInstall(hasTips);
  const isWanted = layout !== null && (isTipTime || promotion.layouts.includes(layout));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that cannot be had just now is asked for again with the next page
  useEffect(() => {
    if (!isWanted || loaded !== null) return;
    const load = () => void import('../extras.tsx').then(setLoaded, console.debug);
    const timer = setTimeout(load, delayMs);
    return () => clearTimeout(timer);
  }, [isWanted, loaded, promotion]);
  return isWanted && loaded !== null && <loaded.Extras {...{ promotion, layout, isTipTime, install }} />;
}
