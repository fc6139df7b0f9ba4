import fc from 'fast-check';
import { expect, test } from 'vitest';
import { motionFields, motionFiles } from './motion.ts';
import { anyCase } from './schemas.ts';

const schema = anyCase(motionFields);
const filesOf = (slide: object) => motionFiles(schema.parse(slide));

test.each<[string, object, string[][]]>([
  ['the fields of a post’s video', { video: { playAddr: 'a' } }, [['a']]],
  ['old lists of addresses', { video: { playAddr: [{ src: 'a' }, { src: 'b' }] } }, [['a', 'b']]],
  ['more mirrors', { video: { playAddr: 'a', PlayAddrStruct: { UrlList: ['b'] } } }, [['a', 'b']]],
  ['the names of the apps', { video: { play_addr: { url_list: ['a', 'b'] } } }, [['a', 'b']]],
  [
    'what plays everywhere',
    { video: { play_addr: { url_list: ['a'] }, play_addr_h264: { url_list: ['b'] } } },
    [['b'], ['a']],
  ],
  [
    'encodings, H.264 first and H.266 never',
    {
      video: {
        playAddr: '',
        bitrateInfo: [
          { CodecType: 'h265_hvc1', PlayAddr: { UrlList: ['a'] } },
          { CodecType: 'bytevc2', PlayAddr: { UrlList: ['b'] } },
          { CodecType: 'h264', PlayAddr: { UrlList: ['c'] } },
        ],
      },
    },
    [['c'], ['a']],
  ],
  ['a wrapper', { livePhotoInfo: { video: { playAddr: { urlList: ['a'] } } } }, [['a']]],
  ['a wrapper of the apps', { live_photo: { video: { play_addr: { url_list: ['a'] } } } }, [['a']]],
  ['a still picture', { livePhotoType: 0, video: null }, []],
  ['a mark without a file', { livePhoto: true, live_photo_type: 1, video: { cover: 'x' } }, []],
])('%s', (_, slide, files) => {
  expect(filesOf(slide)).toEqual(files);
});

test('any input gives addresses or nothing', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(motionFields)), fc.jsonValue()), (slide) => {
      for (const urls of filesOf(slide)) {
        expect(urls.length).toBeGreaterThan(0);
        expect(urls.every((url) => typeof url === 'string' && url !== '')).toBe(true);
      }
    }),
  );
});
