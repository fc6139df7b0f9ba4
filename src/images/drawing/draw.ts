import sharp, { type OverlayOptions } from 'sharp';

/** A line or more of text in a drawing. */
interface DrawnText {
  readonly text: string;
  /** BCP 47: it chooses between the shapes that languages give to one character. */
  readonly lang: string;
  /** CSS colour. */
  readonly colour: string;
  /** The box, px. The text begins at its upper edge, on the side where its language begins. */
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly direction: 'ltr' | 'rtl';
  /** Font sizes to try, in px, the largest first: the first that fits is used, else the last. */
  readonly sizes: readonly number[];
}

/** A picture to be drawn: shapes as SVG, another picture over them, and text over all. */
export interface Drawing {
  /** Px. */
  readonly width: number;
  readonly height: number;
  /** A document of that size, without text. */
  readonly svg: string;
  /** Fills its box, its corners rounded. */
  readonly inset: {
    readonly bytes: Uint8Array;
    readonly box: DrawnText['box'];
    readonly radius: number;
  } | null;
  readonly texts: readonly DrawnText[];
}

/** The fonts beside this file, by their internal names. */
const families = 'Noto Sans,Noto Sans Arabic,Noto Sans Devanagari,Noto Sans Thai';
const chinese = 'Noto Sans S Chinese Bold';
const japanese = 'Noto Sans Japanese Bold';
const korean = 'Noto Sans Korean Bold';

/** Fonts of many languages come first; among fonts that share characters, the text's own language comes first. */
function familiesFor(lang: string): string {
  const others = lang.startsWith('zh') ? [chinese, japanese, korean] : [japanese, korean, chinese];
  return [families, ...others].join(',');
}

const escapeMarkup = (text: string) =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '');

/** Renders the text as a separate picture, as large as fits. */
async function setText({ text, lang, colour, box, direction, sizes }: DrawnText): Promise<OverlayOptions> {
  const markup = `<span foreground="${colour}" lang="${lang}">${escapeMarkup(text)}</span>`;
  let set: { input: Buffer; width: number } | undefined;
  for (const size of sizes) {
    const { data, info } = await sharp({
      // With 72 dpi a point is a pixel.
      text: {
        text: markup,
        font: `${familiesFor(lang)} Bold ${size}`,
        width: box.width,
        dpi: 72,
        rgba: true,
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true });
    set = { input: data, width: info.width };
    if (info.height <= box.height && info.width <= box.width) break;
  }
  if (set === undefined) throw new Error('A text needs a size');
  const left = direction === 'rtl' ? box.left + box.width - set.width : box.left;
  return { input: set.input, left: Math.max(0, left), top: box.top };
}

/** The resolution, in dots per inch, at which an SVG fills its box; irrelevant for other pictures. */
async function densityFor(bytes: Uint8Array, width: number, height: number): Promise<number> {
  const own = await sharp(bytes).metadata();
  return own.format === 'svg' ? Math.ceil(72 * Math.max(width / own.width, height / own.height, 1)) : 72;
}

async function setInset({ bytes, box, radius }: NonNullable<Drawing['inset']>): Promise<OverlayOptions> {
  const { left, top, width, height } = box;
  const corners = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" rx="${radius}"/></svg>`;
  const input = await sharp(bytes, {
    limitInputPixels: 50e6,
    density: await densityFor(bytes, width, height),
  })
    .resize(width, height, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: Buffer.from(corners), blend: 'dest-in' }])
    .png()
    .toBuffer();
  return { input, left, top };
}

/**
 * Draws a picture.
 * @returns a PNG with a palette, some 20 kB
 * @throws Error when the SVG or the inset cannot be read
 */
export async function draw({ width, height, svg, inset, texts }: Drawing): Promise<Buffer> {
  const over = inset === null ? [] : [await setInset(inset)];
  for (const text of texts) over.push(await setText(text));
  return sharp(Buffer.from(svg))
    .resize(width, height)
    .composite(over)
    .flatten()
    .png({ palette: true, colours: 128, effort: 8 })
    .toBuffer();
}
