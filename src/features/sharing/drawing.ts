import { type Locale, languages } from '../../i18n/languages.ts';
import type { Drawing } from '../../images/drawing/draw.ts';
import { colour, gradient } from '../../server/instance/palette.ts';
import { shareSize } from '../../site/addressing/share-picture.ts';

const { width, height } = shareSize;

const hull = colour('boat-hull');
const ink = colour('sea-ink');
const signal = colour('sea-signal');
const sea = colour('sea');

/** Waves from edge to edge, the first crest at `from`. */
function water(top: number, from: number, fill: string): string {
  const crests = Array.from({ length: 10 }, () => 'c24-12 48-12 72 0s48 12 72 0').join('');
  return `<path fill="${fill}" d="M${from} ${top}${crests}V${height}H${from}z"/>`;
}

/** The ferry of the home page (`site/pages/tool/scene/scene.tsx`), 200 x 112. */
const ferry = `
  <path d="M180 78V46" stroke="${colour('sea-ink-soft')}" stroke-width="3" stroke-linecap="round"/>
  <path fill="${signal}" d="M180 45h17l-5 5 5 5h-17z"/>
  <path fill="${ink}" d="M22 78V54a4 4 0 0 1 4-4h48a4 4 0 0 1 4 4v24zM32 50V36a4 4 0 0 1 4-4h28l8 18z"/>
  <path fill="${hull}" d="M36 32l3-20h15l3 20z"/>
  <path fill="${signal}" d="M37.8 20h17.4l1.2 7h-19.800z"/>
  <path fill="${sea}" d="M40 37h6v8h-6zm11 0h10l3.500 8H51zM30 58h6v6h-6zm12 0h6v6h-6zm12 0h6v6h-6zm12 0h6v6h-6z"/>
  <path fill="${hull}" d="M8 78h184c-3 13-10 23-20 30H30C18 103 10 92 8 78z"/>
  <path fill="${signal}" d="M10.500 86.500h178.300l-2 5H12.700z"/>`;

/** On its deck: a picture that plays, or a sound. */
function cargo({ isSound, isMirrored }: Pick<Scene, 'isSound' | 'isMirrored'>): string {
  const [from, to] = gradient(isSound ? 'cargo-record' : 'cargo-picture');
  const sign = isSound
    ? '<path d="M21 46V25l12-2.500v19" fill="none" stroke-width="3"/><circle cx="18" cy="46" r="4"/><circle cx="30" cy="42" r="4"/>'
    : '<path d="M19 27v20l16-10z"/>';
  return `<g transform="translate(104 4) rotate(-5 27 36)">
    <linearGradient id="cargo" x2="0.4" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>
    <rect width="54" height="72" rx="7" fill="url(#cargo)" stroke="${ink}" stroke-width="2.500"/>
    <g${isMirrored ? ' transform="translate(54) scale(-1 1)"' : ''} fill="${ink}" stroke="${ink}" stroke-linejoin="round" stroke-linecap="round">${sign}</g></g>`;
}

const mark = `
  <g transform="translate(76 56) scale(2.2)" fill="none" stroke-linecap="round" stroke-linejoin="round">
    <path d="M16 4v10.500m-4.500-4.200 4.500 4.500 4.500-4.500" stroke="${signal}" stroke-width="3"/>
    <path d="M4.500 17.500h23l-3.600 6.500H8.100z" fill="${ink}"/>
    <path d="M3.500 27.500c2.100 0 2.100 1.300 4.200 1.300s2.100-1.300 4.150-1.300 2.100 1.300 4.150 1.300 2.100-1.300 4.150-1.300 2.100 1.300 4.150 1.300 2.100-1.300 4.200-1.300" stroke="${ink}" stroke-width="1.750" opacity="0.650"/>
  </g>`;

interface Scene {
  /** For right-to-left languages: the ferry sails the other way. */
  readonly isMirrored: boolean;
  readonly isSound: boolean;
  /** Leaves room for another picture beside the title. */
  readonly hasInset: boolean;
}

/** The picture without its words, as SVG. */
function drawScene({ isMirrored, isSound, hasInset }: Scene): string {
  const place = hasInset ? 'translate(84 404) scale(1.36)' : 'translate(716 328) scale(2)';
  const sun = hasInset ? '' : `<circle cx="520" cy="528" r="84" fill="${colour('sea-sun')}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="100%" height="100%" fill="${sea}"/>
    <g${isMirrored ? ` transform="translate(${width}) scale(-1 1)"` : ''}>
      ${mark}${sun}
      ${water(508, -60, colour('sea-swell'))}
      <g transform="${place}">${hasInset ? '' : cargo({ isSound, isMirrored })}${ferry}</g>
      ${water(532, -20, colour('sea-water'))}
      <path fill="${colour('paper')}" d="M0 604C150 622 250 578 433 588s283 34 467 23 200-28 300-18v37H0z"/>
    </g></svg>`;
}

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
  return isMirrored ? { ...box, left: width - box.left - box.width } : box;
}

/** The picture of a page, ready to be drawn. */
export function shareDrawing({ locale, name, title, cover, isSound }: ShareFacts): Drawing {
  const { lang, direction } = languages[locale];
  const isMirrored = direction === 'rtl';
  const hasInset = cover !== null;
  const box = hasInset
    ? { left: edge, top: 164, width: inset.left - edge - 48, height: 240 }
    : { left: edge, top: 152, width: width - 2 * edge, height: 176 };
  const nameBox = { left: edge + 86, top: 74, width: 700, height: 50 };
  return {
    ...shareSize,
    svg: drawScene({ isMirrored, isSound, hasInset }),
    inset: hasInset ? { bytes: cover, box: placed(inset, isMirrored), radius: 24 } : null,
    texts: [
      {
        ...{ text: name, lang, direction, colour: ink, sizes: [36, 28] },
        box: placed(nameBox, isMirrored),
      },
      {
        ...{ text: title, lang, direction, colour: ink },
        sizes: hasInset ? [56, 50, 45, 40, 36, 32] : [76, 70, 64, 58, 52, 46, 40],
        box: placed(box, isMirrored),
      },
    ],
  };
}
