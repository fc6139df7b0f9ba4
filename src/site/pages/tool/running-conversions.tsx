import { useEffect } from 'react';
import {
  cancelDownload,
  type Download,
  forgetDownload,
  isConverting,
  useDownloads,
} from '../../browser/downloads.ts';
import { useTranslate } from '../../texts.tsx';
import { IconButton } from '../../ui/controls.tsx';
import { Notice } from '../../ui/surfaces.tsx';
import { ConversionState, describe } from './download-state.tsx';

/** Leaving the page now would end what the browser does not have yet. */
const isOnlyHere = (download: Download) => download.phase === 'preparing' && isConverting(download);

/** Asks whoever reloads or leaves while a conversion waits or begins; the browser has words for it. */
function useLeavingGuard(guarded: boolean): void {
  useEffect(() => {
    if (!guarded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [guarded]);
}

/** Conversions of posts that are not the one shown: they go on, and can be followed and cancelled here. */
export function RunningConversions({ shownPost }: { shownPost: string | null }) {
  const t = useTranslate();
  const all = [...useDownloads()];
  useLeavingGuard(all.some(([, download]) => isOnlyHere(download)));
  const others = all.filter(
    ([, { file }]) => file.post.id !== shownPost && file.option.status_href !== undefined,
  );
  if (others.length === 0) return null;
  return (
    <ul className="running" aria-label={t('conversion.others')}>
      {others.map(([key, download]) => {
        const { post, option } = download.file;
        const another = all.some(([other, one]) => other !== key && isConverting(one));
        const line = describe(download, another, t);
        return (
          <li key={key}>
            <p className="running-title">
              <span className="running-format">{option.format.toUpperCase()}</span>
              <bdi>{post.title || post.author.name}</bdi>
            </p>
            {isConverting(download) ? (
              <ConversionState download={download} line={line} onCancel={() => void cancelDownload(key)} />
            ) : (
              <div className="running-ended">
                <Notice
                  kind={
                    download.phase === 'failed'
                      ? 'trouble'
                      : download.phase === 'started'
                        ? 'success'
                        : 'plain'
                  }
                >
                  {line}
                </Notice>
                <IconButton
                  icon="close"
                  label={t('conversion.dismiss')}
                  onClick={() => forgetDownload(key)}
                />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
