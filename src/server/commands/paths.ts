import { resolve } from 'node:path';

/**
 * A path as the caller meant it. The program runs in the product's folder; a launcher says where its caller stood
 * (`CLIPFERRY_CWD`). Without one the two are the same.
 */
export function fromCaller(path: string): string {
  const { CLIPFERRY_CWD: place } = process.env;
  return place === undefined ? path : resolve(place, path);
}
