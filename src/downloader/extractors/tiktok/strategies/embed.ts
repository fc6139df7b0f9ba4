import { z } from 'zod';
import { type Strategy, VagueRefusal } from '../../extractor.ts';
import { UnreadableResponse } from '../../unreadable.ts';
import type { PictureFile, PostParts } from '../post/compose-post.ts';
import { motionFields, motionFiles } from '../post/motion.ts';
import { addresses, amount, anyCase, anyShape, flag, id, list, shape, text } from '../post/schemas.ts';
import { embedData } from '../responses/page-data.ts';
import { oneRequestStrategy, type StrategyOptions } from './one-request.ts';
import { playUrls } from './player.ts';

const urlList = anyShape({ urlList: addresses, width: amount, height: amount });

const videoDataSchema = z.object({
  itemInfos: shape({
    id,
    text,
    createTime: amount,
    covers: addresses,
    coversOrigin: addresses,
    video: shape({ urls: addresses, videoMeta: shape({ width: amount, height: amount, duration: amount }) }),
  }),
  authorInfos: shape({ uniqueId: text, nickName: text }),
  musicInfos: shape({ musicName: text, authorName: text, duration: amount, playUrl: z.unknown().optional() }),
  imagePostInfo: shape({
    images: list(
      anyCase({
        displayImage: urlList,
        imageURL: urlList,
        imageWidth: amount,
        imageHeight: amount,
        ...motionFields,
      }),
      50,
    ),
  }),
});

const responseSchema = z.object({ code: amount, isError: flag, videoData: z.unknown().optional() });
type VideoData = z.output<typeof videoDataSchema>;

/** The page for embedding, served by a separate back end: one H.264 file, few details. */
export const embedStrategy = (options: StrategyOptions): Strategy =>
  oneRequestStrategy(options, {
    name: 'embed',
    addressOf: (id) => `https://www.tiktok.com/embed/v2/${id}`,
    by: 'navigation',
    maxBytes: 2_000_000,
    read({ status, body }, id) {
      if (status === 400) throw new VagueRefusal('post_gone', { note: 'HTTP 400' });
      return partsOf(findVideoData(body, id));
    },
  });

function findVideoData(body: Buffer, wanted: string): VideoData {
  const response = responseSchema.safeParse(embedData(body)[`/embed/v2/${wanted}`]);
  if (!response.success)
    throw new UnreadableResponse('answer', { note: 'no data for the post', cause: response.error });
  if (response.data.isError || (response.data.code ?? 0) >= 400) {
    throw new VagueRefusal('post_gone', { note: `embed code ${response.data.code}` });
  }
  const data = videoDataSchema.safeParse(response.data.videoData);
  if (!data.success) throw new UnreadableResponse('item', { note: 'no video data', cause: data.error });
  if (data.data.itemInfos?.id !== wanted) {
    throw new UnreadableResponse('id', { note: 'the page describes another post' });
  }
  return data.data;
}

function partsOf({
  itemInfos: item,
  authorInfos: author,
  musicInfos: music,
  imagePostInfo: images,
}: VideoData): PostParts {
  const meta = item?.video?.videoMeta;
  const [width, height] = [meta?.width ?? 0, meta?.height ?? 0];
  const pictures = (images?.images ?? []).map((image): PictureFile => {
    const file = image.displayImage ?? image.imageURL;
    return {
      urls: file?.urlList ?? [],
      width: file?.width ?? image.imageWidth ?? 0,
      height: file?.height ?? image.imageHeight ?? 0,
      motion: motionFiles(image),
    };
  });
  return {
    handle: author?.uniqueId ?? '',
    name: author?.nickName ?? '',
    title: item?.text ?? '',
    createdAt: item?.createTime ?? null,
    durationS: pictures.length === 0 ? (meta?.duration ?? 0) : (music?.duration ?? 0),
    covers: [item?.coversOrigin ?? [], item?.covers ?? []],
    videos: [{ codec: 'h264', width, height, bytes: null, bitrate: null, urls: item?.video?.urls ?? [] }],
    pictures: pictures.length === 0 ? null : pictures,
    sound: music === null ? null : { durationS: music.duration, urls: playUrls(music.playUrl) },
    song:
      music === null
        ? null
        : { title: music.musicName, artist: music.authorName, original: false, covers: [] },
    soundMeasured: false,
    savingAllowed: null,
    isThin: true,
  };
}
