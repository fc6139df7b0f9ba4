import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useToolBusy } from '../../../web/browser/downloads/tool-state.ts';
import { useClearance } from '../../../web/overlays/clearance.ts';
import { useFloor } from '../../../web/overlays/floor.ts';
import { useEscape } from '../../../web/overlays/on-top.ts';
import { useSwipe } from '../../../web/overlays/swipe.ts';
import { IconButton } from '../../../web/ui/controls.tsx';
import type { PromotionWords } from '../promotion.ts';
import type { Ad } from './page-ads.ts';

/** Says who an ad is from, in the visitor's language. */
export const sourceOf = ({ isOwn }: Pick<Ad, 'isOwn'>, words: PromotionWords): string =>
  isOwn ? words.own : words.ad;

/** What every place of ads is told. */
export interface PlaceProps {
  readonly words: PromotionWords;
  onClose(): void;
}

interface AdFrameProps extends PlaceProps {
  /** Names its place in styles. */
  readonly className: string;
  /** Whether what is in it is this site's own. */
  readonly isOwn: boolean;
  /** Whether it stands at the foot of the window, and other things on it. */
  readonly isFloor?: boolean;
  /** Called when it has to step aside. */
  onAway?(): void;
  readonly children: ReactNode;
}

/**
 * The frame of an ad above the page. It comes when the tool has nothing to do, steps aside while it would cover what the
 * visitor needs, and is closed by its button, by Escape and by a finger that pushes it out.
 */
export function AdFrame({
  className,
  isOwn,
  words,
  isFloor = false,
  onAway,
  onClose,
  children,
}: AdFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const isClear = useClearance(place, !isFloor);
  const isBusy = useToolBusy();
  const [hasCome, setHasCome] = useState(false);
  if (!hasCome && !isBusy) setHasCome(true);
  const isShown = isClear && hasCome;
  // Each way of closing is a press of the button, which is what statistics count.
  const press = () => closeButton.current?.click();
  const { offset, handlers } = useSwipe(press);
  useEscape(isShown, press);
  useFloor(place, isFloor && isShown);
  useLayoutEffect(() => {
    if (!isShown) onAway?.();
  }, [isShown, onAway]);

  function close(): void {
    const hadFocus = place.current?.contains(document.activeElement) === true;
    if (hadFocus) document.getElementById('content')?.focus({ preventScroll: true });
    onClose();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: what is named and belongs together is no group of form fields
    <div ref={place} role="group" className={`ad-place ${className}`} aria-label={sourceOf({ isOwn }, words)}>
      <div
        className={offset === 0 ? 'ad' : 'ad ad-held'}
        inert={!isShown}
        data-popup=""
        style={{ translate: `${offset}px` }}
        {...handlers}
      >
        {children}
        <IconButton
          ref={closeButton}
          icon="close"
          label={isOwn ? words.closeOwn : words.closeAd}
          className="ad-close"
          data-vars-banner="close"
          onClick={close}
        />
      </div>
    </div>
  );
}
