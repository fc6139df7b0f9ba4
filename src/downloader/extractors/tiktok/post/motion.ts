import { z } from 'zod';
import { codecOf } from './encodings.ts';
import { addresses, anyCase, anyShape, list, text } from './schemas.ts';

/**
 * Moving pictures ("live photos", video slides): a slide's video beside or instead of its picture. The page's name for
 * it has not been observed; clients of the platform's app API use `video`, `live_photo` and `live_photo_info.video`,
 * with the fields of a post's video in either spelling.
 */

const file = z
  .unknown()
  .optional()
  .transform((value): string[] => {
    const listed = anyShape({ urlList: addresses }).parse(value)?.urlList ?? [];
    return listed.length > 0 ? listed : addresses.parse(value);
  });

const fields = {
  playAddrH264: file,
  playAddr: file,
  playAddrStruct: file,
  bitrateInfo: list(anyCase({ playAddr: file, codecType: text }), 16),
};
const aliases = { bit_rate: 'bitrateInfo', bitRateList: 'bitrateInfo' };

const video = anyShape(fields, aliases);
const wrapper = anyShape({ ...fields, video }, aliases);

/** Best first: what plays everywhere, then the default address, then any other encoding. */
function filesOf(found: z.output<typeof video>): string[][] {
  if (found === null) return [];
  const encoded = (codec: string) =>
    found.bitrateInfo.filter(({ codecType }) => codecOf(codecType) === codec).map(({ playAddr }) => playAddr);
  return [
    found.playAddrH264,
    [...found.playAddr, ...found.playAddrStruct],
    ...encoded('h264'),
    ...encoded('h265'),
  ];
}

/** The fields of a slide that may hold its video, in any spelling. */
export const motionFields = {
  video: wrapper,
  livePhoto: wrapper,
  livePhotoInfo: wrapper,
  livePhotoVideo: wrapper,
};

/**
 * Candidates for a slide's video, best first: each a list of unchecked addresses of the same bytes. Empty for a still
 * picture.
 */
export function motionFiles(slide: z.output<z.ZodObject<typeof motionFields>>): string[][] {
  const { video, livePhoto, livePhotoInfo, livePhotoVideo } = slide;
  return [video, livePhoto, livePhotoInfo, livePhotoVideo]
    .flatMap((found) => [...filesOf(found), ...filesOf(found?.video ?? null)])
    .filter((urls) => urls.length > 0);
}
