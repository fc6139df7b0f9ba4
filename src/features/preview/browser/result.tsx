import { Suspense, useRef, useState } from 'react';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { IconButton } from '../../../site/ui/controls.tsx';
import { playableFile } from './playable-file.ts';
import './styles.css';

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
