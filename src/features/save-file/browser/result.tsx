import { Suspense, useState } from 'react';
import { useDevice } from '../../../site/browser/device/device.ts';
import { isElsewhere } from '../../../site/browser/downloads/file-requests.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import { chooseOptions } from '../../../site/pages/tool/files/choose-options.ts';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { canShare, maxBytes } from './shareable.ts';

const sharing = lazyPart('sharing', async () => (await import('./sharing.tsx')).Sharing, null);

/** Passes the page's first file to the system's share sheet, if one accepts it. */
function SaveFile({ result, buttons, onAnnounce }: ResultPartProps) {
  const t = useTranslate<'save-file'>();
  const device = useDevice();
  const [isRunning, setRunning] = useState(false);
  const [option] = chooseOptions(result.options, buttons).files;
  const isMounted = useMounted();
  if (!isMounted || option === undefined || isElsewhere(option)) return null;
  if ((option.bytes ?? 0) > maxBytes || !canShare(option.format)) return null;
  if (isRunning)
    return (
      <Suspense>
        <sharing.Part
          file={{ post: result.post, option }}
          onAnnounce={onAnnounce}
          onEnd={() => setRunning(false)}
        />
      </Suspense>
    );
  const isForPhotos = device === 'ios' && option.format === 'mp4';
  return (
    <Button strength="plain" onClick={() => setRunning(true)}>
      {t(isForPhotos ? 'save.photos' : 'save.share')}
    </Button>
  );
}

export default { place: 'files', order: 30, catalogue: 'save-file', Part: SaveFile } satisfies ResultPart;
