import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { captionFields, captionFiles, toCaptions } from './captions.ts';
import { anyCase } from './schemas.ts';

const videoSchema = anyCase(captionFields);
const source = (urls: readonly string[]) => {
  const good = urls.filter((url) => url.startsWith('https://v16'));
  return good.length === 0 ? null : { urls: good, headers: {}, expiresAt: 0 };
};
const tracksOf = (video: unknown) =>
  toCaptions(captionFiles(videoSchema.parse(video)), source).map(({ language, origin, source: { urls } }) =>
    [language, origin, urls[0]].join(' '),
  );

test('reads captions under both names, one for each language, the best first', () => {
  const video = {
    subtitleInfos: [
      { LanguageCodeName: 'pol-PL', Source: 'MT', Url: 'https://v16/pl' },
      { LanguageCodeName: 'eng-US', Source: 'MT', Url: 'https://v16/translated' },
      { LanguageCodeName: 'eng-US', Source: 'ASR', Url: 'https://v16/heard' },
      { LanguageCodeName: 'cmn-Hans-CN', Source: 'LC', UrlList: ['https://v16/own'] },
      { LanguageCodeName: 'fra-FR', Source: 'ASR', Url: 'https://evil.example/fr' },
      { LanguageCodeName: '../..', Source: 'ASR', Url: 'https://v16/x' },
      'no object',
    ],
    claInfo: {
      captionInfos: [
        { language: 'eng-US', isAutoGen: false, url: 'https://v16/written' },
        { language: 'ita-IT', isAutoGen: true, isOriginalCaption: false, urlList: ['https://v16/it'] },
        { language: 'tur-TR', url: 'https://v16/tr' },
      ],
    },
  };
  expect(tracksOf(video)).toEqual([
    'zh-Hans-CN author https://v16/own',
    'en-US author https://v16/written',
    'tr-TR  https://v16/tr',
    'pl-PL translation https://v16/pl',
    'it-IT translation https://v16/it',
  ]);
  // In the form of the app's responses.
  const snake = {
    cla_info: { caption_infos: [{ language: 'en', is_auto_gen: true, url: 'https://v16/en' }] },
  };
  expect(tracksOf(snake)).toEqual(['en  https://v16/en']);
});

test('unusable values cost nothing but the captions', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (subtitleInfos, captionInfos) => {
      const read = captionFiles(videoSchema.parse({ subtitleInfos, claInfo: { captionInfos } }));
      for (const { language } of toCaptions(read, source)) expect(z.string().parse(language)).not.toBe('');
    }),
  );
});
