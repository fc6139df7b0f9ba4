import { z } from 'zod';
import { Failure } from '../../../../failures/failures.ts';
import { type Strategy, VagueRefusal } from '../../extractor.ts';
import { UnreadableResponse } from '../../unreadable.ts';
import { captionFields, captionFiles } from '../post/captions.ts';
import type { VideoFile } from '../post/choose-videos.ts';
import type { PostParts } from '../post/compose-post.ts';
import { gearFiles, gearList, separateSounds, soundList } from '../post/encodings.ts';
import { motionFields, motionFiles } from '../post/motion.ts';
import { addresses, amount, anyCase, anyShape, id, list, shape, text } from '../post/schemas.ts';
import { gateByBody } from '../responses/gates.ts';
import { parseJson } from '../responses/json.ts';
import { refusalOf } from '../responses/reasons.ts';
import { oneRequestStrategy, type StrategyOptions } from './one-request.ts';

const urlList = shape({ url_list: addresses, width: amount, height: amount, data_size: amount });

const itemSchema = z.object({
  id_str: id,
  desc: text,
  create_time: amount,
  author_info: shape({ unique_id: text, nickname: text }),
  video_info: anyShape({
    // Duration in milliseconds.
    meta: shape({ duration: amount, width: amount, height: amount, bitrate: amount }),
    cover: urlList,
    origin_cover: urlList,
    url_list: addresses,
    profiles: gearList,
    bit_rate_audio: soundList,
    ...captionFields,
  }),
  image_post_info: shape({ images: list(anyCase({ display_image: urlList, ...motionFields }), 50) }),
  music_info: shape({
    title: text,
    author: text,
    author_name: text,
    duration: amount,
    play_url: z.unknown().optional(),
  }),
});

const responseSchema = z.object({
  status_code: amount,
  status_msg: text,
  items: list(itemSchema, 4),
  results: list(z.object({ id_str: id, code: text }), 4),
});

type Item = z.output<typeof itemSchema>;

/** The small API behind the embeddable player: no cookies, slideshows too, mostly no more than 720p. */
export const playerStrategy = (options: StrategyOptions): Strategy =>
  oneRequestStrategy(options, {
    name: 'player',
    addressOf: (id) => `https://www.tiktok.com/player/api/v1/items?item_ids=${id}&language=en-US`,
    by: 'script',
    refererOf: (id) => `https://www.tiktok.com/player/v1/${id}`,
    maxBytes: 1_000_000,
    read({ body }, id) {
      const text = body.toString();
      if (!text.trimStart().startsWith('{')) throw gateByBody(body);
      return partsOf(findItem(parseJson(text), id));
    },
  });

function findItem(response: unknown, wanted: string): Item {
  const parsed = responseSchema.safeParse(response);
  if (!parsed.success) throw new UnreadableResponse('answer', { note: 'no answer', cause: parsed.error });
  const { status_code: status, status_msg: message, items, results } = parsed.data;
  if (status !== null && status !== 0) throw refusalOf(status, message);
  const item = items.find((one) => one.id_str === wanted);
  if (item !== undefined) return item;
  const code = results.find((one) => one.id_str === wanted || one.id_str === '')?.code ?? '';
  // Missing and not public look the same here.
  if (code === 'nil_core_data') throw new VagueRefusal('post_gone', { note: code });
  if (code === 'api_busy') throw new Failure('platform_failed', { note: code });
  throw new UnreadableResponse('item', { note: `no item, result "${code.slice(0, 100)}"` });
}

function partsOf({
  author_info: author,
  video_info: video,
  image_post_info: images,
  music_info: music,
  ...item
}: Item): PostParts {
  return {
    handle: author?.unique_id ?? '',
    name: author?.nickname ?? '',
    title: item.desc,
    createdAt: item.create_time,
    durationS:
      images === null || images.images.length === 0
        ? (video?.meta?.duration ?? 0) / 1000
        : (music?.duration ?? 0),
    covers: [video?.origin_cover?.url_list ?? [], video?.cover?.url_list ?? []],
    videos: videoFiles(video),
    pictures:
      images === null || images.images.length === 0
        ? null
        : images.images.map(({ display_image: image, ...slide }) => ({
            urls: image?.url_list ?? [],
            width: image?.width ?? 0,
            height: image?.height ?? 0,
            motion: motionFiles(slide),
          })),
    sound: music === null ? null : { durationS: music.duration, urls: playUrls(music.play_url) },
    song:
      music === null
        ? null
        : { title: music.title, artist: music.author || music.author_name, original: false, covers: [] },
    captions: video === null ? [] : captionFiles(video),
    separateSounds: separateSounds(video?.bit_rate_audio ?? []),
    soundMeasured: false,
    savingAllowed: null,
    isThin: true,
  };
}

function videoFiles(video: Item['video_info']): VideoFile[] {
  if (video === null) return [];
  const [width, height] = [video.meta?.width ?? 0, video.meta?.height ?? 0];
  const profiles = gearFiles(video.profiles, { width, height });
  const bitrate = video.meta?.bitrate ?? null;
  return [...profiles, { codec: 'h264', width, height, bytes: null, bitrate, urls: video.url_list }];
}

/** Seen as an address, a list, and an object with a list. */
export function playUrls(value: unknown): string[] {
  return urlList.parse(value)?.url_list ?? addresses.parse(value);
}
