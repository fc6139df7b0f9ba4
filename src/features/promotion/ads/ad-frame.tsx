import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useToolBusy } from '../../../site/browser/downloads/tool-state.ts';
import { leaveFocus, useClearance, useEscape } from '../../../site/overlays/above-page.ts';
import { useSwipe } from '../../../site/overlays/swipe.ts';
import { IconButton } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { ItemLink, ItemPicture } from '../items/item-link.tsx';
import type { Promoted } from '../items/page-items.ts';

/**
 * Publishes the height of the element at the foot of the window to those above it: `--promotion-floor`. There is one
 * such element at a time.
 */
function useFloor(element: RefObject<HTMLElement | null>, isStanding: boolean): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (!isStanding || current === null) return;
    const { style } = document.documentElement;
    const sizes = new ResizeObserver(() => style.setProperty('--promotion-bar', `${current.offsetHeight}px`));
    sizes.observe(current);
    return () => {
      sizes.disconnect();
      style.removeProperty('--promotion-bar');
    };
  }, [element, isStanding]);
}

interface AdFrameProps {
  /** Names its place in styles: a strip is at the foot of the window, with other elements above it. */
  readonly className: string;
  readonly ads: readonly [Promoted, ...Promoted[]];
  onClose(): void;
}

/**
 * The frame of ads above the page. It appears when the tool is idle, hides while it would cover what the visitor needs,
 * and is closed by its button, by Escape or by a swipe.
 */
export function AdFrame({ className, ads, onClose }: AdFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const isFloor = className.startsWith('ad-strip');
  const isBar = className.endsWith('recommendation-bar');
  const isClear = useClearance(place, !isFloor);
  const isBusy = useToolBusy();
  const [hasCome, setHasCome] = useState(false);
  if (!hasCome && !isBusy) setHasCome(true);
  const isShown = isClear && hasCome;
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen && !isShown) setIsOpen(false);
  // Every way of closing triggers the button's click, which statistics count.
  const press = () => closeButton.current?.click();
  const { offset, handlers } = useSwipe(press);
  useEscape(isShown, press);
  useEscape(isOpen, () => setIsOpen(false));
  useFloor(place, isFloor && isShown);
  // Two are closed together: an advertisement stands for both.
  const { label, close } = ads.find(({ type }) => type === 'ad') ?? ads[0];
  return (
    // biome-ignore lint/a11y/useSemanticElements: what is named and belongs together is no group of form fields
    <div ref={place} role="group" className={`ad-place ${className}`} aria-label={label}>
      <div
        className={offset === 0 ? 'ad' : 'ad ad-held'}
        inert={!isShown}
        data-popup=""
        style={{ translate: `${offset}px` }}
        {...handlers}
      >
        {isBar ? (
          <Bar ad={ads[0]} isOpen={isOpen} onPress={() => setIsOpen(!isOpen)} />
        ) : (
          ads.map((ad) => <Ad key={ad.tag ?? ''} ad={ad} />)
        )}
        <IconButton
          ref={closeButton}
          icon="close"
          label={close}
          className="ad-close"
          data-vars-banner="close"
          onClick={() => {
            leaveFocus(place.current);
            onClose();
          }}
        />
      </div>
    </div>
  );
}

interface AdProps {
  readonly ad: Promoted;
}

/** Its picture, or else its text. */
function AdLink({ ad }: AdProps) {
  return (
    <ItemLink item={ad} className={ad.picture === null ? 'ad-link ad-text' : 'ad-link'}>
      <ItemPicture item={ad} alt={ad.title}>
        {ad.title}
      </ItemPicture>
    </ItemLink>
  );
}

/** Its origin, its link, and its text beside a picture for those who look: it is the picture's alternative already. */
function Ad({ ad }: AdProps) {
  const { picture, title, lang, label, tag } = ad;
  return (
    <div className="ad-body">
      <p className="ad-source">
        {tag !== undefined && <strong>{tag}</strong>} {label}
      </p>
      <AdLink ad={ad} />
      {picture !== null && (
        <p className="ad-caption" lang={lang} dir="auto" aria-hidden="true">
          {title}
        </p>
      )}
    </div>
  );
}

/** A bar that opens an ad. */
function Bar({ ad, isOpen, onPress }: AdProps & { isOpen: boolean; onPress(): void }) {
  return (
    <>
      <button type="button" className="recommendation-title" aria-expanded={isOpen} onClick={onPress}>
        <span className="ad-source">{ad.label}</span>
        <span className="recommendation-text" lang={ad.lang} dir="auto">
          {ad.title}
        </span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <div className="recommendation-open">
          <AdLink ad={ad} />
        </div>
      )}
    </>
  );
}
