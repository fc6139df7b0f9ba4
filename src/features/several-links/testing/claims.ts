import { mostLinks } from '../most-links.ts';

/** What texts promise of lists of links; `tools/messages/claims.ts` says what the fields mean. */
export const claims = [
  {
    about: 'links of one list',
    value: mostLinks,
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
