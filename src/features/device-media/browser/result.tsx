import { Suspense } from 'react';
import type { DownloadOption } from '../../../site/api.ts';
import { savesMadeFiles } from '../../../site/browser/device/device.ts';
import { useDownloads } from '../../../site/browser/downloads/downloads.ts';
import { presentOption } from '../../../site/browser/downloads/file-requests.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import { FileOption } from '../../../site/pages/tool/files/file-option.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { ResultFold } from '../../../site/pages/tool/result/result-rows.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { amplyEncoded } from '../video/plan-fit.ts';
import { removeLeft } from '../video/scratch-folder.ts';
import { plannedOption } from '../video/video-plan.ts';
import { offeredVideo, videoOption } from './offer.ts';
import type { StudioProps } from './studio.tsx';
import styles from './styles.css?url';
import { learnUsual, type Needs, useSupport } from './support.ts';

const keptAs = (className: string) => (
  <>
    <link rel="stylesheet" href={styles} precedence="default" />
    <div className={className} />
  </>
);

/** As high as the disclosure, whatever its words. */
function KeptRow() {
  const t = useTranslate<'device-media'>();
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <div className="device-media-kept device-media-row result-row" aria-hidden="true">
        <Icon name="device" />
        <span>{t('device.title')}</span>
        <Icon name="chevron" />
      </div>
    </>
  );
}

/** One video of all pictures that this browser makes, where the server does not and the browser can. */
function DeviceSlideshow({ result, buttons, onAnnounce }: ResultPartProps) {
  const offer = offeredVideo(result, buttons);
  const isMadeHere = useSupport(
    offer && {
      ...{ kind: 'slideshow', width: 1080, height: 1920, decodes: null },
      encodesSound: offer.encodesSound,
    },
  );
  // After a failure the post's addresses may be others.
  useDownloads();
  if (offer === null || isMadeHere === false) return null;
  if (isMadeHere === undefined) return keptAs('device-media-kept');
  const { post } = result;
  const option = videoOption(presentOption({ post, option: offer.zip }));
  return <FileOption file={{ post, option }} strength="plain" onAnnounce={onAnnounce} />;
}

/** A video of this site's server whose size is known. */
function videoWith(id: string, { options, post }: ResultPartProps['result']): DownloadOption | null {
  const option = options.find((one) => one.id === id);
  const isHere = option?.href.startsWith('/') === true && option.width !== null && option.height !== null;
  return isHere && post.duration_s > 0 ? option : null;
}

/** The demands of encoding a video again. */
const needsOf = (option: DownloadOption | null): Needs | null =>
  option && {
    ...{ kind: 'video', width: option.width ?? 0, height: option.height ?? 0 },
    ...{ decodes: option.codec, encodesSound: false },
  };

/** The large video as H.264, where it is not, and the browser can decode and encode it. */
function PlaysEverywhere({ result, buttons, onAnnounce }: ResultPartProps) {
  const hd = videoWith('mp4-hd', result);
  const source = hd !== null && hd.codec !== 'h264' && buttons.includes('mp4-hd') ? hd : null;
  const isMadeHere = useSupport(needsOf(source));
  if (source === null || isMadeHere === false) return null;
  if (isMadeHere === undefined) return keptAs('device-media-kept device-media-hevc');
  return <Everywhere {...{ source, post: result.post, onAnnounce }} />;
}

interface EverywhereProps extends Pick<ResultPartProps, 'onAnnounce'> {
  source: DownloadOption;
  post: ResultPartProps['result']['post'];
}

function Everywhere({ source, post, onAnnounce }: EverywhereProps) {
  const t = useTranslate<'device-media'>();
  const option = plannedOption({
    ...{ source, part: null, durationS: post.duration_s, maxBytes: null, captions: null },
    encoding: amplyEncoded({ width: source.width ?? 0, height: source.height ?? 0 }),
    explain: (reason) => t(`device.${reason ?? 'failed'}`),
  });
  const words = { name: t('device.everywhere'), remark: t('device.here') };
  return <FileOption {...{ file: { post, option }, words, onAnnounce }} strength="plain" />;
}

const studio = lazyPart('studio', async () => (await import('./studio.tsx')).Studio, null);

/** Other videos of a video: of a size, with captions, of a part. */
function OtherVideos({ result, onAnnounce }: ResultPartProps) {
  const isMounted = useMounted();
  const [hd, plain] = ['mp4-hd', 'mp4'].map((id) => videoWith(id, result));
  const [hdEncodes, plainEncodes] = [useSupport(needsOf(hd ?? null)), useSupport(needsOf(plain ?? null))];
  const encoded = hd && hdEncodes === true ? hd : plain && plainEncodes === true ? plain : null;
  const source = plain ?? hd ?? null;
  const isKnown = isMounted && hdEncodes !== undefined && plainEncodes !== undefined;
  if (source !== null && !isKnown) return <KeptRow />;
  const hasCaptions = result.post.captions !== undefined && isMounted && savesMadeFiles(navigator);
  const isOffered = source !== null && (encoded !== null || hasCaptions);
  return isOffered ? <Disclosure {...{ result, encoded, copied: source, onAnnounce }} /> : null;
}

function Disclosure(props: StudioProps) {
  const t = useTranslate<'device-media'>();
  return (
    <ResultFold className="studio" icon="device" title={t('device.title')}>
      {(isWanted) => <Suspense>{isWanted && <studio.Part {...props} />}</Suspense>}
    </ResultFold>
  );
}

if (!import.meta.env.SSR) {
  learnUsual();
  removeLeft().catch(console.debug);
}

export default [
  { place: 'pictures', order: 10, Part: DeviceSlideshow },
  { place: 'files', order: 5, catalogue: 'device-media', Part: PlaysEverywhere },
  // The scrubber's texts.
  { place: 'more', order: 55, catalogue: 'cut', Part: OtherVideos },
] satisfies readonly ResultPart[];
