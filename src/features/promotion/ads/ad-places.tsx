import { useClosable } from '../../../web/overlays/closable.ts';
import type { Layout } from '../../../web/overlays/layout.ts';
import type { PromotionWords } from '../promotion.ts';
import { BottomBanner, FooterBanners, SideBanner } from './banners.tsx';
import type { PageAds } from './page-ads.ts';
import { RecommendationBar, RecommendationBox } from './recommendation.tsx';

interface AdPlacesProps {
  readonly ads: PageAds;
  readonly words: PromotionWords;
}

/** The ads of a page, each at its place, as long as they are not closed. */
export function AdPlaces({ layout, ...props }: AdPlacesProps & { layout: Layout }) {
  return layout === 'desktop' ? <DesktopAds {...props} /> : <MobileAds {...props} />;
}

function DesktopAds({ ads: { side, box, footer }, words }: AdPlacesProps) {
  const closableSide = useClosable('side-banner');
  const closableBox = useClosable('recommendation');
  const closableFooter = useClosable('footer-banners');
  const isFooterHere = footer?.hosts.includes(location.hostname) === true;
  return (
    <>
      {box !== undefined && !closableBox.isClosed && (
        <RecommendationBox ad={box} words={words} onClose={closableBox.close} />
      )}
      {side !== undefined && !closableSide.isClosed && (
        <SideBanner ad={side} isAtEdge={closableFooter.isClosed} words={words} onClose={closableSide.close} />
      )}
      {footer !== undefined && isFooterHere && !closableFooter.isClosed && (
        <FooterBanners ads={footer.banners} words={words} onClose={closableFooter.close} />
      )}
    </>
  );
}

/** One element at a time is at the foot of a small window. */
function MobileAds({ ads: { bottom, box }, words }: AdPlacesProps) {
  const closableBottom = useClosable('bottom-banner');
  const closableBox = useClosable('recommendation');
  if (bottom !== undefined && !closableBottom.isClosed)
    return <BottomBanner ad={bottom} words={words} onClose={closableBottom.close} />;
  if (box !== undefined && !closableBox.isClosed)
    return <RecommendationBar ad={box} words={words} onClose={closableBox.close} />;
  return null;
}
