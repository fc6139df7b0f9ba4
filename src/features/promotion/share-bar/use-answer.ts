import { useEffect, useState } from 'react';
import type { ShareOutcome } from '../../../web/browser/sharing.ts';
import type { ShareWords } from './page-share.ts';

/** Long enough to be read; it may be a sentence. */
const shownMs = 5000;

/** A temporary message after a visitor's action. @returns the text, empty for none, and a function that shows one */
export function useAnswer(words: ShareWords): [string, (outcome: ShareOutcome) => void] {
  // A new object each time: the same answer given again is shown as long as the first.
  const [said, say] = useState<{ readonly outcome: ShareOutcome }>({ outcome: 'done' });
  const { outcome } = said;
  useEffect(() => {
    if (said.outcome === 'done') return;
    const timer = setTimeout(say, shownMs, { outcome: 'done' });
    return () => clearTimeout(timer);
  }, [said]);
  return [outcome === 'done' ? '' : words[outcome], (next) => say({ outcome: next })];
}
