import { useDownloads } from '../../../site/browser/downloads/downloads.ts';
import { presentOption } from '../../../site/browser/downloads/file-requests.ts';
import { FileOption } from '../../../site/pages/tool/files/file-option.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { offeredVideo, videoOption } from './offer.ts';
import styles from './styles.css?url';
import { useSupport } from './support.ts';

/** One video of all pictures that this browser makes, where the server does not and the browser can. */
function DeviceSlideshow({ result, buttons, help, onAnnounce }: ResultPartProps) {
  const offer = offeredVideo(result, buttons);
  const support = useSupport(offer !== null);
  // After a failure the post's addresses may be others.
  useDownloads();
  if (offer === null || support === null) return null;
  if (support === undefined)
    return (
      <>
        <link rel="stylesheet" href={styles} precedence="default" />
        <div className="device-slideshow-kept" />
      </>
    );
  if (offer.encodesSound && !support.encodesSound) return null;
  const { post } = result;
  const option = videoOption(presentOption({ post, option: offer.zip }));
  return <FileOption file={{ post, option }} help={help} strength="plain" onAnnounce={onAnnounce} />;
}

export default { place: 'pictures', order: 10, Part: DeviceSlideshow } satisfies ResultPart;
