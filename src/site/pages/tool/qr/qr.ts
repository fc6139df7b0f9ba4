import { encode } from 'uqr';

/**
 * A QR code as one path on a grid of `size` modules, quiet zone included. The path is to be
 * stroked one module wide; its lines run through the middle of their rows when the view box begins at y -0.5.
 */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** A text as a QR code (ISO/IEC 18004): each run of dark modules in a row is one line of the path. */
export function drawQrCode(text: string): QrCode {
  // Readers take any of the eight masks. Trying all of them for the best takes a sixth of a page's time.
  const { data, size } = encode(text, { ecc: 'M', border: 2, maskPattern: 0 });
  let path = '';
  // Each bar begins where the one before it ended: written so, a code takes less than half of a compressed page.
  let endX = 0;
  let endY = 0;
  data.forEach((row, y) => {
    for (let x = 0; x < size; x++) {
      if (row[x] !== true) continue;
      const start = x;
      while (row[x + 1] === true) x++;
      path += `m${start - endX} ${y - endY}h${x + 1 - start}`;
      endX = x + 1;
      endY = y;
    }
  });
  return { size, path };
}
