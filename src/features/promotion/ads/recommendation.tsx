import { useCallback, useState } from 'react';
import { useEscape } from '../../../web/overlays/on-top.ts';
import { Icon } from '../../../web/ui/icon.tsx';
import { AdFrame, type PlaceProps, sourceOf } from './ad-frame.tsx';
import { AdLink, Caption } from './ad-link.tsx';
import type { Ad } from './page-ads.ts';

interface RecommendationProps extends PlaceProps {
  readonly ad: Ad;
}

/** The recommendation at the side of desktop windows. */
export function RecommendationBox({ ad, words, onClose }: RecommendationProps) {
  return (
    <AdFrame className="recommendation-box" isOwn={ad.isOwn} words={words} onClose={onClose}>
      <p className="ad-source">{sourceOf(ad, words)}</p>
      <AdLink ad={ad} />
      <Caption ad={ad} />
    </AdFrame>
  );
}

/** The recommendation in the mobile layout: a bar that opens the box. */
export function RecommendationBar({ ad, words, onClose }: RecommendationProps) {
  const [isOpen, setIsOpen] = useState(false);
  const fold = useCallback(() => setIsOpen(false), []);
  useEscape(isOpen, fold);
  return (
    <AdFrame
      className="ad-strip recommendation-bar"
      isOwn={ad.isOwn}
      isFloor
      words={words}
      onAway={fold}
      onClose={onClose}
    >
      <button
        type="button"
        className="recommendation-title"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="ad-source">{sourceOf(ad, words)}</span>
        <span className="recommendation-text" lang={ad.lang} dir="auto">
          {ad.text}
        </span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <div className="recommendation-open">
          <AdLink ad={ad} />
        </div>
      )}
    </AdFrame>
  );
}
