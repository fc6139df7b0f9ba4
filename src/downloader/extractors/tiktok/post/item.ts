import { z } from 'zod';
import { Failure } from '../../../../failures/failures.ts';
import type { Post } from '../../../post/post.ts';
import { UncertainRefusal } from '../../extractor.ts';
import { UnreadableResponse } from '../../unreadable.ts';
import { refusalOf } from '../responses/reasons.ts';
import { captionFiles } from './captions.ts';
import type { VideoFile } from './choose-videos.ts';
import { composePost, type PostParts, type ReadingContext } from './compose-post.ts';
import { codecOf, gearFiles, separateSounds } from './encodings.ts';
import { type Item, itemSchema } from './item-schema.ts';
import { noteShapes } from './item-shapes.ts';
import { isSong } from './media-addresses.ts';
import { motionFiles } from './motion.ts';
import { amount, shape, text } from './schemas.ts';

const infoSchema = shape({ itemStruct: z.unknown() });

/**
 * The desktop page has `itemInfo` and gives the reason in `statusMsg`; mobile pages give it in `statusMessage`, and put
 * everything below `videoDetail` or omit the wrapper.
 */
const detailSchema = z.object({
  statusCode: amount,
  statusMsg: text,
  statusMessage: text,
  itemInfo: infoSchema,
  itemStruct: z.unknown().optional(),
  videoDetail: shape({ statusCode: amount, statusMsg: text, statusMessage: text, itemInfo: infoSchema }),
});

/**
 * Reads the part of a page that describes its post.
 * @throws Failure of the post when the status or the item refuses it, else {@link UnreadableResponse}
 */
export function readDetail(detail: unknown, context: ReadingContext): Post {
  const parsed = detailSchema.safeParse(detail);
  if (!parsed.success)
    throw new UnreadableResponse('answer', { note: 'detail is no object', cause: parsed.error });
  const { videoDetail, ...outer } = parsed.data;
  const code = outer.statusCode || videoDetail?.statusCode || 0;
  if (code !== 0)
    throw refusalOf(code, messageOf(outer) || (videoDetail === null ? '' : messageOf(videoDetail)));
  const raw = outer.itemInfo?.itemStruct ?? videoDetail?.itemInfo?.itemStruct ?? outer.itemStruct;
  const item = itemSchema.safeParse(raw);
  if (!item.success) throw new UnreadableResponse('item', { note: 'no item', cause: item.error });
  if (context.onShape !== undefined) noteShapes(raw, context.onShape);
  return readItem(item.data, context);
}

function messageOf(detail: { readonly statusMsg: string; readonly statusMessage: string }): string {
  return detail.statusMsg || detail.statusMessage;
}

function readItem(item: Item, context: ReadingContext): Post {
  if (item.id !== context.reference.id) {
    throw new UnreadableResponse('id', { note: 'the page describes another post' });
  }
  // The author's privacy flags count even if the media are present: public posts only.
  if (item.privateItem || item.secret) throw new Failure('post_private');
  if (item.forFriend) throw new Failure('post_friends_only');
  try {
    return composePost(partsOf(item), context);
  } catch (thrown) {
    // Without media, the other flags say why.
    if (item.takeDown) throw new Failure('post_taken_down', { cause: thrown });
    if (item.isReviewing) throw new Failure('post_in_review', { cause: thrown });
    if (item.isContentClassified) throw new UncertainRefusal('post_age_restricted', { cause: thrown });
    if (thrown instanceof UnreadableResponse && item.imagePost === null && item.video?.downloadAddr.length)
      throw new UnreadableResponse('watermark_only', { cause: thrown });
    throw thrown;
  }
}

function partsOf({ author, video, music, imagePost, ...item }: Item): PostParts {
  // An `imagePost` without pictures is ignored: the rest of the item decides.
  const slides = imagePost === null || imagePost.images.length === 0 ? null : imagePost.images;
  const soundDurationS = music?.preciseDuration?.preciseDuration || music?.duration || null;
  return {
    handle: author?.uniqueId ?? '',
    name: author?.nickname ?? '',
    title: item.desc || (imagePost?.title ?? ''),
    createdAt: item.createTime,
    stats: item.stats && { plays: item.stats.playCount, likes: item.stats.diggCount },
    durationS: slides === null ? (video?.duration ?? 0) : (soundDurationS ?? 0),
    // `cover` may have the platform's logo burned in; `originCover` never has.
    covers: [imagePost?.cover?.imageURL?.urlList ?? [], video?.originCover ?? [], video?.cover ?? []],
    videos: videoFiles(video),
    pictures:
      slides?.map((slide) => ({
        urls: slide.imageURL?.urlList ?? [],
        width: slide.imageWidth ?? 0,
        height: slide.imageHeight ?? 0,
        motion: motionFiles(slide),
      })) ?? null,
    sound: music === null ? null : { durationS: soundDurationS, urls: music.playUrl },
    song:
      music === null
        ? null
        : {
            title: music.title,
            artist: music.authorName,
            original: music.original,
            covers: [music.coverLarge, music.coverMedium, music.coverThumb],
          },
    captions: video === null ? [] : captionFiles(video),
    separateSounds: separateSounds(video?.bitrateAudioInfo ?? []),
    soundMeasured: isMeasured(video),
    savingAllowed: allowsSaving(author?.downloadSetting ?? null, video),
    isThin: video === null || video.bitrateInfo.length === 0,
  };
}

/** The platform's own file to save, with its logo, is absent where saving is off. A slideshow never has one. */
const allowsSaving = (setting: number | null, video: Item['video']): boolean | null =>
  setting === null ? (video?.downloadAddr.length ? true : null) : setting !== 3;

/** An absent sound has a peak of 0; the loudness of any other is below 0. */
function isMeasured(video: Item['video']): boolean {
  const { Peak: peak, Loudness: loudness } = video?.volumeInfo ?? { Peak: null, Loudness: null };
  return peak === null ? typeof loudness === 'number' && loudness < 0 && loudness > -70 : peak > 0;
}

/** `downloadAddr` is left out on purpose: it is the file with the watermark. */
function videoFiles(video: Item['video']): VideoFile[] {
  if (video === null) return [];
  const [width, height] = [video.width ?? 0, video.height ?? 0];
  const gears = gearFiles(video.bitrateInfo, { width, height });
  const urls = [...video.playAddr, ...(video.PlayAddrStruct?.UrlList ?? [])];
  // A song has another codec or none; its address shows that it is not a video.
  const codec = video.codecType === '' || urls.some(isSong) ? 'h264' : codecOf(video.codecType);
  if (codec === null) return gears;
  const { size: bytes, bitrate, format } = video;
  // The platform calls the container `mp4` whatever its content.
  const said = format === 'dash' ? format : '';
  return [...gears, { codec, width, height, bytes, bitrate, format: said, urls }];
}
