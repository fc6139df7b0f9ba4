import { useEffect, useRef, useState } from 'react';
import type { DownloadOption } from '../../api.ts';
import { startDownloads } from '../../browser/downloads.ts';
import { useMounted } from '../../browser/mounted.ts';
import { useTranslate } from '../../texts.tsx';
import { Button, LinkButton } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';

interface GalleryProps {
  pictures: readonly DownloadOption[];
  zip: DownloadOption | null;
  onAnnounce(text: string): void;
}

/** A slideshow's pictures: each for itself, the chosen ones one after another, or all in one file. */
export function Gallery({ pictures, zip, onAnnounce }: GalleryProps) {
  const t = useTranslate();
  const mounted = useMounted();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const downloadChosen = () => {
    leaving.current = new AbortController();
    void startDownloads(
      pictures.filter((picture) => chosen.has(picture.id)).map((picture) => picture.href),
      leaving.current.signal,
    );
    onAnnounce(t('option.started'));
  };

  return (
    <fieldset className="gallery">
      <legend>{t('photos.title', { count: pictures.length })}</legend>
      {mounted && (
        <label className="gallery-all">
          <input
            type="checkbox"
            checked={chosen.size === pictures.length}
            onChange={(event) =>
              setChosen(new Set(event.currentTarget.checked ? pictures.map((picture) => picture.id) : []))
            }
          />
          {t('photos.all')}
        </label>
      )}
      <ul className="gallery-pictures">
        {pictures.map((picture, at) => (
          <li key={picture.href} className="gallery-picture">
            <label className="gallery-choice" htmlFor={mounted ? `choose-${picture.id}` : undefined}>
              {mounted && (
                <input
                  id={`choose-${picture.id}`}
                  type="checkbox"
                  checked={chosen.has(picture.id)}
                  aria-label={t('photos.select', { number: at + 1 })}
                  onChange={(event) => choose(picture.id, event.currentTarget.checked)}
                />
              )}
              <img
                src={picture.preview_url ?? picture.href}
                alt={t('photos.select', { number: at + 1 })}
                width={picture.width ?? 360}
                height={picture.height ?? 480}
                loading="lazy"
                decoding="async"
              />
            </label>
            <a
              className="icon-button gallery-download"
              href={picture.href}
              download
              aria-label={t('option.jpg', { number: at + 1 })}
              title={t('option.jpg', { number: at + 1 })}
              onClick={() => onAnnounce(t('option.started'))}
            >
              <Icon name="download" />
            </a>
          </li>
        ))}
      </ul>
      <div className="gallery-actions">
        {zip !== null && (
          <LinkButton
            strength="action"
            icon="download"
            href={zip.href}
            download
            onClick={() => onAnnounce(t('option.started'))}
          >
            {t('option.zip')}
          </LinkButton>
        )}
        {mounted && (
          <Button strength="plain" icon="images" disabled={chosen.size === 0} onClick={downloadChosen}>
            {t('photos.selected', { count: chosen.size })}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
