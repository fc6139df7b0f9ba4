import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useToolBusy } from '../../site/browser/downloads/tool-state.ts';
import { leaveFocus, useClearance, useEscape } from '../../site/overlays/above-page.ts';
import type { Layout } from '../../site/overlays/layout.ts';
import { useSwipe } from '../../site/overlays/swipe.ts';
import { IconButton } from '../../site/ui/controls.tsx';
import { Icon } from '../../site/ui/icon.tsx';
import { rememberClosed, wasClosed } from '../../site/visitors/stored/closed.ts';
import { Cards } from './cards/cards.tsx';
import type { Promotion } from './document-part.ts';
import styles from './extras.css?inline';
import { ItemLink, ItemPicture } from './items/item-link.tsx';
import type { Promoted } from './items/page-items.ts';
import { ShareBar } from './share-bar/share-bar.tsx';

/** Pixels; what is higher counts as large. */
const largeFrom = 200;

type AdsProps = Pick<Promotion, 'ads' | 'footerHosts'> & Pick<ExtrasProps, 'layout'>;

/** The ads of a page, each at its place, as long as they are not closed. */
function Ads({ ads: { side, bottom, box, recommended, newest }, footerHosts, layout }: AdsProps) {
  const [closed, setClosed] = useState<readonly string[]>([]);
  const isClosed = (id: string) => closed.includes(id) || wasClosed(id);

  function frame(className: string, ...ads: (Promoted | undefined)[]) {
    const [first, ...others] = ads.filter((ad) => ad !== undefined);
    if (first === undefined || isClosed(first.id)) return null;
    const close = () => {
      rememberClosed(first.id);
      setClosed([...closed, first.id]);
    };
    return <AdFrame key={first.id} className={className} ads={[first, ...others]} onClose={close} />;
  }

  // One element at a time is at the foot of a small window.
  if (layout === 'mobile')
    return frame('ad-strip bottom-banner', bottom) ?? frame('ad-strip recommendation-bar', box);
  const large = side !== undefined && side.height > largeFrom ? ' side-banner-large' : '';
  const atEdge = isClosed('footer-banners') ? ' side-banner-at-edge' : '';
  const isFooterHere = footerHosts.includes(location.hostname);
  return (
    <>
      {frame('recommendation-box', box)}
      {frame(`side-banner${large}${atEdge}`, side)}
      {isFooterHere && frame('ad-strip footer-banners', recommended, newest)}
    </>
  );
}

// Bundled with the script: pages without promotion have no styles for it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

export interface ExtrasProps {
  readonly promotion: Promotion;
  readonly layout: Layout;
  /** Whether tips may come. */
  readonly isTipTime: boolean;
}

/** Everything that a page promotes. */
export function Extras({ promotion, layout, isTipTime }: ExtrasProps) {
  const { name, ads, footerHosts, share, cards } = promotion;
  const path = useLocation().pathname;
  return (
    <aside className="promotion" aria-label={name}>
      <Ads {...{ ads, footerHosts, layout }} />
      {/* A new page restarts what phones do. */}
      {share !== undefined && <ShareBar key={path} share={share} layout={layout} />}
      {/* A window that becomes a phone's begins anew. */}
      {cards !== undefined && <Cards key={layout} kinds={cards} {...{ layout, isTipTime }} />}
    </aside>
  );
}

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
function AdFrame({ className, ads, onClose }: AdFrameProps) {
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
