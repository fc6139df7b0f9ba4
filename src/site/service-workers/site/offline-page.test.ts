import { expect, test } from 'vitest';
import { writeOfflinePage } from './offline-page.ts';
import type { SiteWorkerSettings } from './settings.ts';

const texts = {
  title: 'Offline & out',
  page: 'Comes back',
  link: 'Link is kept',
  retry: 'Again',
  toHome: 'Home',
  label: 'Link',
  placeholder: 'Paste',
  submit: 'Go',
};
const settings: SiteWorkerSettings = {
  version: '1',
  assets: [],
  languages: {
    en: { lang: 'en', direction: 'ltr', home: '/', manyPosts: null, texts },
    ar: { lang: 'ar', direction: 'rtl', home: '/ar', manyPosts: null, texts },
  },
  defaultLocale: 'en',
  offlinePage: { themeScript: 'first()', script: 'second()', styles: ['/_app/style-1.css'], headers: {} },
};
const pageAt = (path: string) => writeOfflinePage(new URL(path, 'https://site.example'), settings);

test('uses the language of the address, and sends links to its home page', () => {
  const page = pageAt('/ar/contact');
  expect(page).toContain('<html lang="ar" dir="rtl">');
  expect(page).toContain('Comes back');
  expect(page).toContain('action="/ar"');
  expect(page).toContain('<title>Offline &amp; out</title>');
  expect(page.match(/<script>/g)).toHaveLength(2);
  expect(page).toContain('class="error-picture-hull"');
});

test('keeps what was typed, whatever it is, and retries where it was typed', () => {
  const hostile = '"><script>alert(1)</script>&amp;';
  const page = pageAt(`/tiktok-downloader?url=${encodeURIComponent(hostile)}`);
  expect(page).toContain('Link is kept');
  expect(page).toContain('action="/tiktok-downloader"');
  expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"');
  expect(page.match(/<script>/g)).toHaveLength(2);
});
