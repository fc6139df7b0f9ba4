import { encode } from 'uqr';

/** A QR code as one path on a grid of `size` modules, quiet zone included. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** Codes already drawn: drawing one takes a tenth of the time of a whole page, and each page has its own. */
const drawn = new Map<string, QrCode>();
const maxDrawn = 1000;

/** A text as a QR code. */
export function drawQrCode(text: string): QrCode {
  const known = drawn.get(text);
  if (known !== undefined) return known;
  const code = draw(text);
  if (drawn.size >= maxDrawn) drawn.clear();
  drawn.set(text, code);
  return code;
}

/** Draws a text (ISO/IEC 18004): each run of dark modules in a row is one bar of the path. */
function draw(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
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
