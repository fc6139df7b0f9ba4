import { useRef } from 'react';
import {
  forgetLink,
  forgetLinks,
  type RecentLink,
  useRecentLinks,
} from '../../../browser/device/recent-links.ts';
import { useTranslate } from '../../../translation.tsx';
import { Button, IconButton } from '../../../ui/controls.tsx';

interface RecentProps {
  /** The post shown above the list. */
  shown: string | null;
  onChoose(url: string): void;
  onAnnounce(text: string): void;
  /** Called when the list, which had the focus, has become empty. */
  onEmpty(): void;
}

/** The links that worked on this device, each to be used again or forgotten. */
export function Recent({ shown, onChoose, onAnnounce, onEmpty }: RecentProps) {
  const t = useTranslate();
  const list = useRef<HTMLUListElement>(null);
  const links = useRecentLinks().filter(({ url }) => url !== shown);
  if (links.length === 0) return null;

  const forgetOne = (link: RecentLink, at: number) => {
    // The button goes with its entry: the next one gets the focus, or the one before where it was the last.
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>('.icon-button');
    const next = buttons?.[at + 1] ?? buttons?.[at - 1];
    if (next === undefined) onEmpty();
    else next.focus();
    forgetLink(link.url);
    onAnnounce(t('recent.removed', { title: link.title }));
  };

  return (
    <section className="recent" aria-labelledby="recent-title">
      <div className="recent-head">
        <h2 id="recent-title">{t('recent.title')}</h2>
        <p>{t('recent.note')}</p>
        <Button
          strength="quiet"
          onClick={() => {
            onEmpty();
            forgetLinks();
            onAnnounce(t('recent.cleared'));
          }}
        >
          {t('recent.clear')}
        </Button>
      </div>
      <ul ref={list}>
        {links.map((link, at) => (
          <li key={link.url}>
            <Button strength="plain" icon="history" onClick={() => onChoose(link.url)}>
              <bdi>{link.title}</bdi>
            </Button>
            <IconButton
              icon="close"
              label={t('recent.remove', { title: link.title })}
              onClick={() => forgetOne(link, at)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
