import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { readStored } from '../../../site/browser/device/device-storage.ts';
import { onFirstSaved } from '../../../site/browser/downloads/first-saved.ts';
import { firstGesture } from '../../../site/browser/later-work.ts';
import type { Layout } from '../../../site/overlays/layout.ts';
import { deviceOf } from '../../../site/state/device.ts';
import type { Promotion } from '../document-part.ts';
import type { ExtrasProps } from '../extras.tsx';

/** Lists on the device that a visit leaves behind: links that worked, and articles that were opened. */
const traces = ['recent-links', 'recent_visits'];

/** Whether this device visited the site before the present document was loaded. */
const knowsSite = typeof window !== 'undefined' && traces.some((name) => readStored(name) !== null);

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

/**
 * Whether to show a tip: the visitor knows the site from before, or has got a first file, and has begun to do
 * something. A first visit without a file has none.
 * @param isWanted whether there is one
 */
function useTipTime(isWanted: boolean): boolean {
  const [isTime, setIsTime] = useState(false);
  useEffect(() => {
    if (!isWanted || isTime) return;
    if (knowsSite) void firstGesture().then(() => setIsTime(true));
    return onFirstSaved(() => setIsTime(true));
  }, [isWanted, isTime]);
  return isWanted && isTime;
}

/**
 * Mounts a page's promotion, a moment after hydration. Only this module is loaded with a page with promotion; the rest
 * is loaded once there is something to show in this window and to this visitor.
 */
export function PromotionMount({ promotion }: { promotion: Promotion }) {
  // Null on the server and while the page is taken over.
  const layout = useSyncExternalStore(subscribe, presentLayout, () => null);
  const [loaded, setLoaded] = useState<{ readonly Extras: ComponentType<ExtrasProps> } | null>(null);
  const isTipTime = useTipTime(promotion.cards?.tips === true);
  const isWanted = layout !== null && (isTipTime || promotion.layouts.includes(layout));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a file that cannot be had just now is asked for again with the next page
  useEffect(() => {
    if (!isWanted || loaded !== null) return;
    const load = () => void import('../extras.tsx').then(setLoaded, console.debug);
    const timer = setTimeout(load, delayMs);
    return () => clearTimeout(timer);
  }, [isWanted, loaded, promotion]);
  return isWanted && loaded !== null && <loaded.Extras {...{ promotion, layout, isTipTime }} />;
}
