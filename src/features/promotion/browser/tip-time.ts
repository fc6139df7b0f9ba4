import { useEffect, useState } from 'react';
import { knowsSite } from '../../../web/browser/device/knows-site.ts';
import { onFirstSaved } from '../../../web/browser/downloads/first-saved.ts';
import { firstGesture } from '../../../web/browser/first-gesture.ts';

/**
 * Whether it is time for a tip: the visitor knows the site from before, or has got a first file of it, and has begun to
 * do something. A first visit that is only that has none.
 * @param isWanted whether there is one
 */
export function useTipTime(isWanted: boolean): boolean {
  const [isTime, setIsTime] = useState(false);
  useEffect(() => {
    if (!isWanted || isTime) return;
    let isOver = false;
    const come = () => {
      if (!isOver) setIsTime(true);
    };
    if (knowsSite) void firstGesture().then(come);
    const endWatch = onFirstSaved(come);
    return () => {
      isOver = true;
      endWatch();
    };
  }, [isWanted, isTime]);
  return isTime;
}
