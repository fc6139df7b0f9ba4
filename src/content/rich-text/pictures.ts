import type { Element, Root } from 'hast';
import { visit } from 'unist-util-visit';
import { elementOf } from './tree.ts';

/** A picture that the import made into sizes, as far as a text needs to know it. */
interface KnownPicture {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly alt: string;
}

export interface PictureRules {
  /** Pictures that came with the text, by the address under which it mentions them. */
  readonly pictures: Readonly<Record<string, KnownPicture>>;
}

/** Width of the column of text, in pixels; wider pictures reach out of it. */
const columnWidth = 700;

/** Maximum displayed width of a picture, in pixels. */
const maxWidth = 780;

const addressOf = (id: string, width: number, format: string): string => `/pictures/${id}-${width}.${format}`;

const sizesOf = (picture: KnownPicture, format: string): string =>
  picture.widths.map((width) => `${addressOf(picture.id, width, format)} ${width}w`).join(', ');

/** The smallest size that is sharp at the width it is shown at. */
function usualWidth(picture: KnownPicture): number {
  return picture.widths.find((width) => width >= Math.min(picture.width, maxWidth)) ?? picture.width;
}

function toPicture(picture: KnownPicture, alt: string): Element {
  const shown = Math.min(picture.width, maxWidth);
  const isDrawing = picture.widths.length === 0;
  const sizes = `(min-width: ${shown + 32}px) ${shown}px, 100vw`;
  const source = (format: 'avif' | 'webp') =>
    elementOf('source', { type: `image/${format}`, srcSet: sizesOf(picture, format), sizes });
  const image = elementOf('img', {
    ...(isDrawing
      ? { src: addressOf(picture.id, picture.width, 'svg') }
      : { src: addressOf(picture.id, usualWidth(picture), 'jpg'), srcSet: sizesOf(picture, 'jpg'), sizes }),
    alt: alt || picture.alt,
    width: shown,
    height: Math.max(1, Math.round((shown * picture.height) / picture.width)),
    ...(picture.width > columnWidth && { className: ['picture-wide'] }),
    loading: 'lazy',
    decoding: 'async',
  });
  return isDrawing ? image : elementOf('picture', {}, source('avif'), source('webp'), image);
}

const isPlaced = (src: string): boolean => /^\/pictures\/[\w-]+\.\w+$/.test(src);

const isPixels = (value: unknown): value is number | string => /^[1-9]\d{0,4}$/.test(String(value));

/** A picture of ours from an earlier pass, brought back to what it was. */
function keepPlaced(image: Element): void {
  const { src, alt, width, height, srcSet, sizes } = image.properties;
  const kept = Number(width);
  const shown = Math.min(kept, maxWidth);
  image.properties = {
    src,
    ...(srcSet !== undefined && { srcSet }),
    ...(sizes !== undefined && { sizes }),
    alt: String(alt ?? ''),
    width: shown,
    height: Math.max(1, Math.round((shown * Number(height)) / kept)),
    ...(shown > columnWidth && { className: ['picture-wide'] }),
    loading: 'lazy',
    decoding: 'async',
  };
}

/** Pictures that browsers may not fetch, or of unknown size, become links. */
const asLink = (src: string, alt: string): Element =>
  elementOf('a', { href: src }, { type: 'text', value: alt || src });

/**
 * Shows the pictures of a text in their prepared sizes, lazily and with width and height, so that nothing shifts while
 * they load. Pictures wider than the text column extend beyond it, up to 780 pixels. Pictures of other sites become
 * links: visitors' browsers request nothing from other sites.
 */
export function placePictures(tree: Root, { pictures }: PictureRules): void {
  visit(tree, 'element', (element, index, parent) => {
    if (element.tagName !== 'img' || parent === undefined || index === undefined) return;
    const { src, alt, width, height } = element.properties;
    const address = typeof src === 'string' ? src.replace(/^\.\//, '') : '';
    const words = typeof alt === 'string' ? alt : '';
    const known = Object.hasOwn(pictures, address) ? pictures[address] : undefined;
    if (known !== undefined) parent.children[index] = toPicture(known, words);
    else if (isPlaced(address) && isPixels(width) && isPixels(height)) keepPlaced(element);
    else if (address === '') parent.children[index] = { type: 'text', value: words };
    else parent.children[index] = asLink(address, words);
    return index + 1;
  });
}
