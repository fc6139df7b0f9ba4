import { useState } from 'react';
import { useLocation } from 'react-router';
import type { Layout } from '../../site/overlays/layout.ts';
import { rememberClosed, wasClosed } from '../../site/visitors/stored/closed.ts';
import { AdFrame } from './ads/ad-frame.tsx';
import { Cards } from './cards/cards.tsx';
import type { Promotion } from './document-part.ts';
import styles from './extras.css?inline';
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
