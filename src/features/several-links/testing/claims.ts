import { mostListed } from '../../../site/pages/tool/link-box/typed-links.ts';

/** The promises of texts about lists; `tools/claims.test.ts` checks them. */
export const claims = [
  {
    about: 'links of one list',
    value: mostListed,
    said: /\bup to (\d+)(?: links| files at once|, and choose)/gi,
    where: [
      'tiktok-downloader:hero.text',
      'tiktok-downloader:head.description',
      'tiktok-downloader:faq.8.answer',
      'download-mp3-tiktok:faq.7.answer',
      'api:zip.text',
      'content/articles/tiktok-link-forms/en.md',
      'content/articles/save-tiktok-video-computer/en.md',
    ],
  },
];
