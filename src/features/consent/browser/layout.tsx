import type { LayoutPart } from '../../../site/layout/layout-parts.tsx';
import { AskedAfter, ConsentBar, ConsentMark } from './consent-bar.tsx';
import { consentMark } from './consent-mark.ts';

export default {
  order: 20,
  places: {
    'head-start': ({ page: { consent } }) => consent !== null && <ConsentMark mode={consent.mode} />,
    'footer-line': ({ page: { consent } }) => consent !== null && <a href="#consent">{consent.name}</a>,
    'below-header': ({ page: { consent } }) => consent !== null && <ConsentBar texts={consent} />,
    'below-result': ({ page: { consent } }) => consent !== null && <AskedAfter texts={consent} />,
  },
  scripts: ({ consent }) => (import.meta.env.SSR && consent !== null ? [consentMark(consent.mode)] : []),
} satisfies LayoutPart;
