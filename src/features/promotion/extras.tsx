import { useConsentFloor } from '../../web/overlays/floor.ts';
import type { Layout } from '../../web/overlays/layout.ts';
import { AdPlaces } from './ads/ad-places.tsx';
import type { Install } from './browser/install-prompt.ts';
import { Cards } from './cards/cards.tsx';
import styles from './extras.css?inline';
import type { Promotion } from './promotion.ts';
import { ShareBar } from './share-bar/share-bar.tsx';

// Bundled with the script: pages without promotion have no styles for it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

interface ExtrasProps {
  readonly promotion: Promotion;
  readonly layout: Layout;
  /** Whether tips may come. */
  readonly isTipTime: boolean;
  readonly install: Install;
}

/** Everything that a page promotes. */
export function Extras({ promotion, layout, isTipTime, install }: ExtrasProps) {
  const { ads, share, cards, words } = promotion;
  useConsentFloor(layout === 'desktop', '--promotion-base');
  return (
    <aside className="promotion" aria-label={words.name}>
      {ads !== undefined && <AdPlaces ads={ads} words={words} layout={layout} />}
      {share !== undefined && <ShareBar share={share} layout={layout} />}
      {cards !== undefined && <Cards layout={layout} kinds={cards} isTipTime={isTipTime} install={install} />}
    </aside>
  );
}
