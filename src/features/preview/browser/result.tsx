import { Suspense, useRef, useState } from 'react';
import type { DownloadOption } from '../../../site/api.ts';
import { isElsewhere } from '../../../site/browser/downloads/file-requests.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import type { DownloadButton } from '../../../site/configuration/configuration.ts';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { IconButton } from '../../../site/ui/controls.tsx';
import './styles.css';

/** MIME types for asking browsers whether they play a file (RFC 6381). */
const types: Readonly<Record<string, string>> = {
  h264: 'video/mp4; codecs="avc1.640028, mp4a.40.2"',
  h265: 'video/mp4; codecs="hvc1.1.6.L120.B0, mp4a.40.2"',
  aac: 'audio/mp4; codecs="mp4a.40.2"',
  mp3: 'audio/mpeg',
};

/** Ids of options, the one to try first: small files before large ones, and what is not encoded before what is. */
const videos = ['mp4', 'mp4-hd'];
const sounds = ['m4a', 'mp3'];

/**
 * The file to play: the video if the page offers it, else the sound; null when this browser plays neither, or another
 * server has them.
 * @param canPlay the result of `canPlayType`
 */
export function playableFile(
  options: readonly DownloadOption[],
  buttons: readonly DownloadButton[],
  canPlay: (type: string) => string,
): DownloadOption | null {
  const isVideoPage = buttons.some((button) => videos.includes(button));
  const isSoundPage = buttons.some((button) => sounds.includes(button));
  const ids = [...(isVideoPage ? videos : []), ...(isSoundPage ? sounds : [])];
  const found = ids
    .map((id) => options.find((option) => option.id === id))
    .find((option) => {
      const type = types[option?.codec ?? ''];
      return option !== undefined && type !== undefined && !isElsewhere(option) && canPlay(type) !== '';
    });
  return found ?? null;
}

const player = lazyPart('player', async () => (await import('./player.tsx')).Player, null);

/** A button over the cover, and the player in its place once it was pressed. */
function Preview({ result, buttons }: ResultPartProps) {
  const t = useTranslate<'preview'>();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const canPlay = (type: string) => document.createElement('video').canPlayType(type);
  const file = useMounted() ? playableFile(result.options, buttons, canPlay) : null;
  if (file === null) return null;
  return (
    <>
      <IconButton
        ref={button}
        icon="play"
        className="preview-play"
        label={t(file.format === 'mp4' ? 'preview.watch' : 'preview.listen')}
        hidden={isOpen}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <player.Part
            post={result.post.id}
            file={file}
            poster={result.post.cover_url}
            durationS={result.post.duration_s}
            onClose={() => {
              setOpen(false);
              requestAnimationFrame(() => button.current?.focus());
            }}
          />
        </Suspense>
      )}
    </>
  );
}

export default { place: 'cover', order: 10, catalogue: 'preview', Part: Preview } satisfies ResultPart;
