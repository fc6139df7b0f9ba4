import { Suspense, useState } from 'react';
import { useDevice } from '../../../site/browser/device/device.ts';
import type { RequestedFile } from '../../../site/browser/downloads/downloads.ts';
import { isElsewhere } from '../../../site/browser/downloads/file-requests.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import { sharesFiles } from '../../../site/browser/sharing.ts';
import { chooseOptions } from '../../../site/pages/tool/files/choose-options.ts';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { maxBytes, SaveFace } from './save-face.tsx';

const sharing = lazyPart('sharing', async () => (await import('./sharing.tsx')).Sharing, null);

/** Files for the share sheet: the pictures of a slideshow, or the page's video; none of another server. */
function filesToSave({ result: { post, options }, buttons, pictures }: ResultPartProps): RequestedFile[] {
  const [first] = chooseOptions(options, buttons).files;
  const video = first?.format === 'mp4' && pictures.length === 0 ? [{ post, option: first }] : [];
  const files = pictures.length > 0 ? [...pictures] : video;
  const bytes = files.reduce((sum, { option }) => sum + (option.bytes ?? 0), 0);
  return bytes > maxBytes || files.some(({ option }) => isElsewhere(option)) ? [] : files;
}

/** On a phone: passes the video or the pictures to the system's share sheet, which leads to its photos. */
function SaveFile(props: ResultPartProps) {
  const t = useTranslate<'save-file'>();
  const isPhone = useDevice() !== 'computer';
  const isMounted = useMounted();
  const files = filesToSave(props);
  const keys = files.map(({ option }) => option.id).join();
  const [running, setRunning] = useState<string | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const format = files[0]?.option.format;
  if (!isMounted || !isPhone || format === undefined || !sharesFiles(format, files.length)) return null;
  const label = props.pictures.length > 0 ? t('save.pictures', { count: files.length }) : t('save.photos');
  const face = { label, isPhotos: props.pictures.length > 0 };
  if (running === keys)
    return (
      <Suspense fallback={<SaveFace {...face} stage="preparing" fraction={null} />}>
        <sharing.Part
          key={keys}
          files={files}
          face={face}
          onAnnounce={props.onAnnounce}
          onEnd={(isSaved) => {
            setRunning(null);
            setSaved(isSaved ? keys : null);
          }}
        />
      </Suspense>
    );
  return <SaveFace {...face} stage={saved === keys ? 'saved' : null} onPress={() => setRunning(keys)} />;
}

export default { place: 'first', order: 30, catalogue: 'save-file', Part: SaveFile } satisfies ResultPart;
