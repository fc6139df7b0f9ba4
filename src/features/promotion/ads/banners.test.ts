import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { SideBanner } from './banners.tsx';

const words = { name: 'Notices', ad: 'Advertisement', own: 'From us', closeAd: 'Close', closeOwn: 'Close' };

test.each([
  [200, false],
  [201, true],
])('an ad %i pixels high counts as large: %s', (height, isLarge) => {
  const ad = { id: 'a', href: '/', text: 'A boat', isOwn: true, width: 160, height, picture: null };
  const banner = createElement(SideBanner, { ad: ad as never, words, isAtEdge: false, onClose() {} });
  const html = renderToString(createElement(MemoryRouter, null, banner));
  expect(html).toContain('side-banner');
  expect(html.includes('side-banner-large')).toBe(isLarge);
});
