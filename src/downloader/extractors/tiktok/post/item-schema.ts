import { z } from 'zod';
import { captionFields } from './captions.ts';
import { gearList, soundList } from './encodings.ts';
import { motionFields } from './motion.ts';
import { addresses, amount, anyCase, anyShape, flag, id, list, shape, text } from './schemas.ts';

const maxPictures = 50;

const imageList = shape({ urlList: addresses });

const authorFields = { uniqueId: text, nickname: text, downloadSetting: amount };

const musicFields = {
  title: text,
  authorName: text,
  original: flag,
  coverLarge: addresses,
  coverMedium: addresses,
  coverThumb: addresses,
  duration: amount,
  preciseDuration: shape({ preciseDuration: amount }),
  playUrl: addresses,
};

const imageFields = { imageURL: imageList, imageWidth: amount, imageHeight: amount };

const imagePostFields = {
  title: text,
  cover: shape({ imageURL: imageList }),
  images: list(anyCase({ ...imageFields, ...motionFields }), maxPictures),
};

const videoFields = {
  width: amount,
  height: amount,
  duration: amount,
  size: amount,
  bitrate: amount,
  codecType: text,
  format: text,
  cover: addresses,
  originCover: addresses,
  playAddr: addresses,
  downloadAddr: addresses,
  PlayAddrStruct: shape({ UrlList: addresses }),
  volumeInfo: anyShape({ Loudness: z.unknown().optional(), Peak: amount }),
  bitrateInfo: gearList,
  bitrateAudioInfo: soundList,
};

const statsFields = { playCount: amount, diggCount: amount };

const fields = {
  id,
  desc: text,
  createTime: amount,
  stats: shape(statsFields),
  privateItem: flag,
  secret: flag,
  forFriend: flag,
  takeDown: flag,
  isReviewing: flag,
  isContentClassified: flag,
  author: shape(authorFields),
  music: shape(musicFields),
  imagePost: shape(imagePostFields),
  video: anyShape(
    { ...videoFields, ...captionFields },
    { bit_rate: 'bitrateInfo', bit_rate_audio: 'bitrateAudioInfo' },
  ),
};

/** The fields of a page's item that are read, by their object. */
export const itemFields = {
  item: fields,
  author: authorFields,
  music: musicFields,
  imagePost: imagePostFields,
  image: imageFields,
  video: videoFields,
};

/** A post as the platform's pages describe it. */
export const itemSchema = z.object(fields);

export type Item = z.output<typeof itemSchema>;
