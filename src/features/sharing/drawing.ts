import { type Locale, languages } from '../../i18n/languages.ts';
import type { Drawing } from '../../images/drawing/draw.ts';
import { colour } from '../../server/instance/palette.ts';
import { shareSize } from '../../site/addressing/share-picture.ts';
import { drawScene } from './scene.ts';

/** A picture's texts. */
export interface ShareFacts {
  readonly locale: Locale;
  /** The site's name. */
  readonly name: string;
  /** The page's title. */
  readonly title: string;
  /** Articles only. */
  readonly cover: Uint8Array | null;
  readonly isSound: boolean;
}

const edge = 80;
const inset = { left: 640, top: 132, width: 480, height: 360 };

/** The mirrored position of a box, for right-to-left pictures. */
function placed<T extends { left: number; width: number }>(box: T, isMirrored: boolean): T {
  return isMirrored ? { ...box, left: shareSize.width - box.left - box.width } : box;
}

/** The picture of a page, ready to be drawn. */
export function shareDrawing({ locale, name, title, cover, isSound }: ShareFacts): Drawing {
  const { lang, direction } = languages[locale];
  const isMirrored = direction === 'rtl';
  const hasInset = cover !== null;
  const box = hasInset
    ? { left: edge, top: 164, width: inset.left - edge - 48, height: 240 }
    : { left: edge, top: 152, width: shareSize.width - 2 * edge, height: 176 };
  const nameBox = { left: edge + 86, top: 74, width: 700, height: 50 };
  return {
    ...shareSize,
    svg: drawScene({ isMirrored, isSound, hasInset }),
    inset: hasInset ? { bytes: cover, box: placed(inset, isMirrored), radius: 24 } : null,
    texts: [
      {
        ...{ text: name, lang, direction, colour: colour('sea-ink'), sizes: [36, 28] },
        box: placed(nameBox, isMirrored),
      },
      {
        ...{ text: title, lang, direction, colour: colour('sea-ink') },
        sizes: hasInset ? [56, 50, 45, 40, 36, 32] : [76, 70, 64, 58, 52, 46, 40],
        box: placed(box, isMirrored),
      },
    ],
  };
}
