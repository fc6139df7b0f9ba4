import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { imageFormat, openImage } from '../../images/open-image.ts';
import type { SiteLogo } from '../../site/loaders/services.ts';

/** A file in the place of one of the product's. */
export interface OwnFile {
  readonly type: string;
  /** Made by the first request. */
  bytes(): Promise<Buffer>;
}

const types = { svg: 'image/svg+xml', png: 'image/png' } as const;

/** Systems scale smaller icons up. */
const leastIcon = 512;

/** Height of the logo in CSS pixels, and the most width that a phone's header has for it. */
const logoHeight = 32;
const mostLogoWidth = 128;

function readSvg(path: string): Buffer {
  const bytes = readFileSync(path);
  if (!/<svg\b/.test(bytes.toString())) throw new Error(`${path}: must be an SVG`);
  return bytes;
}

/** Whether a PNG has all of its chunks, each with its checksum (PNG, 5.3). */
function isWholePng(png: Buffer): boolean {
  for (let start = 8; start + 12 <= png.length; ) {
    const end = start + 8 + png.readUInt32BE(start);
    if (end + 4 > png.length || crc32(png.subarray(start + 4, end)) !== png.readUInt32BE(end)) return false;
    if (png.toString('latin1', start + 4, start + 8) === 'IEND') return true;
    start = end + 4;
  }
  return false;
}

/** @throws Error which names the file: no PNG, or a damaged one */
function readPng(path: string) {
  const bytes = readFileSync(path);
  if (imageFormat(bytes) !== 'png') throw new Error(`${path}: must be a PNG`);
  if (!isWholePng(bytes)) throw new Error(`${path}: is damaged, or its end is missing`);
  // The header's first two fields (PNG, 11.2.2).
  return { bytes, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const once = (make: () => Promise<Buffer>): (() => Promise<Buffer>) => {
  let made: Promise<Buffer> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const scaled = (bytes: Buffer, size: number) =>
  once(async () => (await openImage(bytes)).image.resize(size, size).png().toBuffer());

const svgAround = (png: Buffer) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><image width="64" height="64" href="data:image/png;base64,${png.toString('base64')}"/></svg>`,
  );

/**
 * The icons made of `icon.png`, and of `icon.svg` where there is one.
 * @throws Error which names the file
 */
export function iconFiles(folder: string): ReadonlyMap<string, OwnFile> {
  const [svg, png] = [join(folder, 'icon.svg'), join(folder, 'icon.png')];
  if (!existsSync(png)) {
    if (existsSync(svg))
      throw new Error(`${png}: is missing beside icon.svg, for phones and the installed app`);
    return new Map();
  }
  const { bytes, width, height } = readPng(png);
  if (width !== height || width < leastIcon)
    throw new Error(`${png}: has ${width}x${height} pixels, and must be a square of ${leastIcon} or more`);
  const own = existsSync(svg) ? readSvg(svg) : null;
  const sized = (size: number): OwnFile => ({ type: types.png, bytes: scaled(bytes, size) });
  const middle = scaled(bytes, 64);
  return new Map<string, OwnFile>([
    ['/favicon.svg', { type: types.svg, bytes: once(async () => own ?? svgAround(await middle())) }],
    // Browsers go by the type and not by the name.
    ['/favicon.ico', sized(32)],
    ['/apple-touch-icon.png', sized(180)],
    ['/icon-192.png', sized(192)],
    ['/icon-512.png', sized(512)],
  ]);
}

/** Width and height of an SVG, of its `viewBox` or its attributes. @throws Error which names the file */
function sizeOfSvg(path: string, bytes: Buffer): readonly [width: number, height: number] {
  const [tag = ''] = /<svg\b[^>]*>/.exec(bytes.toString()) ?? [];
  const [, , , width, height] =
    /\bviewBox="\s*([\d.-]+)[\s,]+([\d.-]+)[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag) ?? [];
  const attribute = (name: string) => new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(tag)?.[1];
  const size = [width ?? attribute('width'), height ?? attribute('height')].map(Number);
  const [wide = 0, high = 0] = size;
  if (!(wide > 0 && high > 0)) throw new Error(`${path}: needs a viewBox, or a width and height in pixels`);
  return [wide, high];
}

/**
 * The picture beside the site's name, of `logo.svg` or `logo.png`.
 * @throws Error which names the file
 */
export function logoOf(folder: string): {
  readonly shown: SiteLogo | null;
  readonly files: ReadonlyMap<string, OwnFile>;
} {
  const name = (['svg', 'png'] as const).find((ending) => existsSync(join(folder, `logo.${ending}`)));
  if (name === undefined) return { shown: null, files: new Map() };
  const path = join(folder, `logo.${name}`);
  const png = name === 'png' ? readPng(path) : null;
  const bytes = png?.bytes ?? readSvg(path);
  const [width, height] = png === null ? sizeOfSvg(path, bytes) : [png.width, png.height];
  const shownWidth = Math.round((width / height) * logoHeight);
  if (shownWidth > mostLogoWidth)
    throw new Error(
      `${path}: is ${shownWidth} pixels wide at a height of ${logoHeight}; ${mostLogoWidth} fit`,
    );
  const src = `/logo.${name}`;
  return {
    shown: { src, width: shownWidth, height: logoHeight },
    files: new Map([[src, { type: types[name], bytes: async () => bytes }]]),
  };
}
