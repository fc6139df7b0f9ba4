import type { LayoutPart } from '../../../site/layout/layout-parts.tsx';

/**
 * Marks documents of browsers that play no H.265, before a result is drawn: those keep no place for a video that they
 * cannot make of one. Self-contained, in the document's head; WebCodecs answers the question too late.
 */
const script =
  "document.createElement('video').canPlayType('video/mp4;codecs=hvc1.1.6.L120.B0')||(document.documentElement.dataset.hevc='no')";

// React ignores elements that only the server has rendered.
export default {
  order: 20,
  places: {
    'head-end': () =>
      import.meta.env.SSR && (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant
        <script dangerouslySetInnerHTML={{ __html: script }} />
      ),
  },
  scripts: () => (import.meta.env.SSR ? [script] : []),
} satisfies LayoutPart;
