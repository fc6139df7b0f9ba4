import type { LayoutPart } from '../../../site/layout/layout-parts.tsx';

export default {
  order: 30,
  places: {
    'below-result': ({ page: { visitors } }) =>
      visitors?.push?.prompt === 'asked' && <div className="push-offer" />,
    'footer-line': ({ page: { visitors } }) =>
      visitors?.push !== undefined && (
        <button type="button" className="push-switch" role="switch" aria-checked="false" hidden>
          {visitors.push.texts.name}
        </button>
      ),
    'footer-end': ({ page: { visitors } }) =>
      visitors?.push !== undefined && <p className="push-status" role="status" />,
  },
} satisfies LayoutPart;
