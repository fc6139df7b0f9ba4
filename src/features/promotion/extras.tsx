import { useLocation } from 'react-router';
import type { Layout } from '../../site/overlays/layout.ts';
import { Ads } from './ads/ads.tsx';
import { Cards } from './cards/cards.tsx';
import type { Promotion } from './document-part.ts';
import styles from './extras.css?inline';
import type { Install } from './items/item-link.tsx';
import { ShareBar } from './share-bar/share-bar.tsx';

// Bundled with the script: pages without promotion have no styles for it.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

export interface ExtrasProps {
  readonly promotion: Promotion;
  readonly layout: Layout;
  /** Whether tips may come. */
  readonly isTipTime: boolean;
  readonly install: Install;
}

/** Everything that a page promotes. */
export function Extras({ promotion, layout, ...tips }: ExtrasProps) {
  const { name, ads, footerHosts, share, cards } = promotion;
  const path = useLocation().pathname;
  return (
    <aside className="promotion" aria-label={name}>
      <Ads {...{ ads, footerHosts, layout }} />
      {/* A new page restarts what phones do. */}
      {share !== undefined && <ShareBar key={path} share={share} layout={layout} />}
      {/* A window that becomes a phone's begins anew. */}
      {cards !== undefined && <Cards key={layout} kinds={cards} layout={layout} {...tips} />}
    </aside>
  );
}
