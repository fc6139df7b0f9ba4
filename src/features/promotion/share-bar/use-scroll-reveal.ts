import { useEffect, useRef, useState } from 'react';
import { createScrollReveal, type ScrollReveal } from './scroll-reveal.ts';

/**
 * Shows an element while the page is scrolled (see `scroll-reveal.ts`).
 * @param isOn whether it comes and goes; otherwise it is always shown
 * @param isHeld whether it is in use
 */
export function useScrollReveal(isOn: boolean, isHeld: boolean): boolean {
  const [isShown, setIsShown] = useState(false);
  const reveal = useRef<ScrollReveal>(null);
  useEffect(() => {
    if (!isOn) return;
    const rule = createScrollReveal(setIsShown);
    reveal.current = rule;
    addEventListener('scroll', rule.scrolled, { passive: true });
    return () => {
      removeEventListener('scroll', rule.scrolled);
      rule.end();
    };
  }, [isOn]);
  useEffect(() => reveal.current?.hold(isHeld), [isHeld]);
  return isShown || !isOn;
}
