import { encode } from 'uqr';

/** A QR code as one path on a grid of `size` modules, quiet zone included. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** A text as a QR code (ISO/IEC 18004): each run of dark modules in a row is one bar of the path. */
export function drawQrCode(text: string): QrCode {
  // Readers take any of the eight masks. Trying all of them for the best takes a sixth of a page's time.
  const { data, size } = encode(text, { ecc: 'M', border: 2, maskPattern: 0 });
  let path = '';
  data.forEach((row, y) => {
    for (let x = 0; x < size; x++) {
      if (row[x] !== true) continue;
      const start = x;
      while (row[x + 1] === true) x++;
      path += `M${start} ${y}h${x - start + 1}v1H${start}z`;
    }
  });
  return { size, path };
}
