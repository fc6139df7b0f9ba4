import { z } from 'zod';
import { codecOf } from './codec.ts';
import { addresses, list, shape, text } from './schemas.ts';

/**
 * Moving pictures ("live photos", video slides): a slide's own video beside its picture, or in its place. The page's
 * name for it has not been seen; programs that read the platform's apps know `video`, `live_photo` and
 * `live_photo_info.video`, and inside it the fields of a post's video in either spelling.
 */

const file = z.unknown().optional().transform(fileAddresses);

function fileAddresses(value: unknown): string[] {
  const parsed = shape({ UrlList: addresses, urlList: addresses, url_list: addresses }).parse(value);
  const listed = parsed === null ? [] : [...parsed.UrlList, ...parsed.urlList, ...parsed.url_list];
  return listed.length > 0 ? listed : addresses.parse(value);
}

const gears = list(
  z
    .object({
      PlayAddr: file,
      playAddr: file,
      play_addr: file,
      CodecType: text,
      codec_type: text,
      UrlKey: text,
    })
    .transform(({ PlayAddr, playAddr, play_addr, ...gear }) => ({
      codec: codecOf(gear.CodecType || gear.codec_type),
      urls: [...PlayAddr, ...playAddr, ...play_addr],
    })),
  16,
);

const fields = {
  play_addr_h264: file,
  playAddr: file,
  play_addr: file,
  PlayAddrStruct: file,
  bitrateInfo: gears,
  bit_rate: gears,
  bitRateList: gears,
};

const video = shape(fields);
const wrapper = shape({ ...fields, video });
type Video = NonNullable<z.output<typeof video>>;

/** Best first: what plays everywhere, then the default address, then any other encoding. */
function filesOf(found: Video | null): string[][] {
  if (found === null) return [];
  const encodings = [...found.bitrateInfo, ...found.bit_rate, ...found.bitRateList];
  return [
    found.play_addr_h264,
    [...found.playAddr, ...found.PlayAddrStruct],
    found.play_addr,
    ...encodings.filter(({ codec }) => codec === 'h264').map(({ urls }) => urls),
    ...encodings.filter(({ codec }) => codec === 'h265').map(({ urls }) => urls),
  ];
}

/** The fields of a slide that may hold its video. */
export const motionFields = {
  video: wrapper,
  livePhoto: wrapper,
  live_photo: wrapper,
  livePhotoInfo: wrapper,
  live_photo_info: wrapper,
  livePhotoVideo: wrapper,
  live_photo_video: wrapper,
};

/**
 * The files that may be a slide's video, best first: each a list of addresses of the same bytes, not checked yet. None
 * for a still picture.
 */
export function motionFiles(slide: z.output<z.ZodObject<typeof motionFields>>): string[][] {
  const names = Object.keys(motionFields) as (keyof typeof motionFields)[];
  return names
    .flatMap((name) => {
      const found = slide[name];
      return found === null ? [] : [...filesOf(found), ...filesOf(found.video)];
    })
    .filter((urls) => urls.length > 0);
}
