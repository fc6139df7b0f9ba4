import { Link } from 'react-router';
import { PromotedPicture } from '../promoted-picture.tsx';
import type { Ad } from './page-ads.ts';

interface AdLinkProps {
  readonly ad: Ad;
  /** CSS pixels: a higher picture is made smaller. */
  readonly maxHeight?: number | undefined;
}

/** An ad as a link: its picture, or else its text. Statistics recognise it by its attribute. */
export function AdLink({ ad, maxHeight = ad.height }: AdLinkProps) {
  const { href, isOwn, lang, picture, text } = ad;
  const scale = Math.min(1, maxHeight / ad.height);
  const size = { width: Math.round(ad.width * scale), height: Math.round(ad.height * scale) };
  const link = {
    className: picture === null ? 'ad-link ad-text' : 'ad-link',
    lang,
    draggable: false,
    'data-vars-banner': 'open',
    children: picture === null ? text : <PromotedPicture picture={picture} {...size} alt={text} />,
  };
  return isOwn ? (
    <Link {...link} to={href} />
  ) : (
    <a {...link} href={href} rel="sponsored noopener" target="_blank" />
  );
}

/** The text beside a picture, for those who look: it is the picture's alternative already. */
export function Caption({ ad }: Pick<AdLinkProps, 'ad'>) {
  return (
    ad.picture !== null && (
      <p className="ad-caption" lang={ad.lang} dir="auto" aria-hidden="true">
        {ad.text}
      </p>
    )
  );
}
