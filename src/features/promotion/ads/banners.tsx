import { AdFrame, type PlaceProps, sourceOf } from './ad-frame.tsx';
import { AdLink, Caption } from './ad-link.tsx';
import type { Ad, FooterAd } from './page-ads.ts';

/** Pixels; what is higher counts as large. */
const largeFrom = 200;

/** Pixels of 75, with some room around it. */
const footerPictureHeight = 59;

interface AdProps extends PlaceProps {
  readonly ad: Ad;
}

/**
 * The ad at the side of desktop windows.
 * @param isAtEdge whether it is at the window's lower edge because the footer's banners are closed
 */
export function SideBanner({ ad, isAtEdge, words, onClose }: AdProps & { isAtEdge: boolean }) {
  const large = ad.height > largeFrom ? ' side-banner-large' : '';
  const edge = isAtEdge ? ' side-banner-at-edge' : '';
  return (
    <AdFrame className={`side-banner${large}${edge}`} isOwn={ad.isOwn} words={words} onClose={onClose}>
      <p className="ad-source">{sourceOf(ad, words)}</p>
      <AdLink ad={ad} />
    </AdFrame>
  );
}

/** The ad at the foot of the window in the mobile layout. */
export function BottomBanner({ ad, words, onClose }: AdProps) {
  return (
    <AdFrame className="ad-strip bottom-banner" isOwn={ad.isOwn} isFloor words={words} onClose={onClose}>
      <p className="ad-source">{sourceOf(ad, words)}</p>
      <AdLink ad={ad} />
    </AdFrame>
  );
}

/** The two banners at the foot of desktop windows. */
export function FooterBanners({ ads, words, onClose }: PlaceProps & { ads: readonly FooterAd[] }) {
  return (
    <AdFrame
      className="ad-strip footer-banners"
      isOwn={ads.every(({ isOwn }) => isOwn)}
      isFloor
      words={words}
      onClose={onClose}
    >
      {ads.map((ad) => (
        <div key={ad.tag} className="footer-banner">
          <p className="ad-source">
            <strong>{ad.tag}</strong> {sourceOf(ad, words)}
          </p>
          <AdLink ad={ad} maxHeight={footerPictureHeight} />
          <Caption ad={ad} />
        </div>
      ))}
    </AdFrame>
  );
}
