import { AdPlaces } from './ads/ad-places.tsx';
import adStyles from './ads/ads.css?inline';
import cardStyles from './cards/cards.css?inline';
import { Cards } from './cards/cards.tsx';
import lookStyles from './cards/looks.css?inline';
import { useConsentFloor } from './floor.ts';
import type { Layout } from './layout.ts';
import styles from './promotion.css?inline';
import type { Promotion } from './promotion.ts';
import shareStyles from './share-bar/share-bar.css?inline';
import { ShareBar } from './share-bar/share-bar.tsx';

// They come with the script: pages that promote nothing have no styles for it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles + adStyles + shareStyles + cardStyles + lookStyles);
document.adoptedStyleSheets.push(sheet);

interface ExtrasProps {
  readonly promotion: Promotion;
  readonly layout: Layout;
  /** Whether tips may come. */
  readonly isTipTime: boolean;
}

/** Everything that a page promotes. */
export function Extras({ promotion, layout, isTipTime }: ExtrasProps) {
  const { ads, share, cards, words } = promotion;
  useConsentFloor(layout === 'desktop', '--promotion-base');
  return (
    <aside className="promotion" aria-label={words.name}>
      {ads !== undefined && <AdPlaces ads={ads} words={words} layout={layout} />}
      {share !== undefined && <ShareBar share={share} layout={layout} />}
      {cards !== undefined && <Cards layout={layout} kinds={cards} isTipTime={isTipTime} />}
    </aside>
  );
}
