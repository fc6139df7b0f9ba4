/** The size of a drawing with some hundred shapes. */
export const maxSvgBytes = 64 * 1024;

/** Shapes and fills only: nothing that runs, links, or fetches. */
const allowedElements = new Set(
  [
    'svg g defs title desc path rect circle ellipse line polyline polygon text tspan',
    'linearGradient radialGradient stop clipPath mask pattern',
  ].flatMap((names) => names.split(' ')),
);

/** An opening tag, a closing one, or text. Comments, instructions and declarations have no place. */
const token = /<([A-Za-z]\w*)((?:\s+[\w:-]+="[^"<]*")*)\s*\/?>|<\/[A-Za-z]\w*\s*>|[^<]+/y;

const attribute = /([\w:-]+)="([^"]*)"/g;

/** Whether an attribute only draws: no handler, no style sheet, and of addresses only those inside the file. */
function isHarmless(name: string, value: string): boolean {
  if (/^on|^style$|href$/i.test(name)) return false;
  if (name.startsWith('xmlns')) return value === 'http://www.w3.org/2000/svg';
  return !/url\(\s*["']?[^"'#\s]/i.test(value) && !value.includes('&');
}

/**
 * Checks a drawing. Browsers do not run scripts in pictures; this check rejects them anyway.
 * @returns its size in pixels
 * @throws Error with a short description of the problem
 */
export function readSvg(bytes: Uint8Array): { width: number; height: number } {
  if (bytes.byteLength > maxSvgBytes) throw new Error(`larger than ${maxSvgBytes / 1024} kB`);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  let size: { width: number; height: number } | null = null;
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const [, element, attributes = ''] = token.exec(text) ?? [];
    if (token.lastIndex === 0) throw new Error(`not plain SVG at "${text.slice(at, at + 20)}"`);
    if (element === undefined) continue;
    if (!allowedElements.has(element)) throw new Error(`has <${element}>`);
    const values = new Map<string, string>();
    for (const [, name = '', value = ''] of attributes.matchAll(attribute)) {
      if (!isHarmless(name, value)) throw new Error(`has ${name}="${value.slice(0, 20)}"`);
      values.set(name, value);
    }
    if (size !== null) continue;
    const [width, height] = [Number(values.get('width')), Number(values.get('height'))];
    const isSized = [width, height].every((side) => Number.isInteger(side) && side > 0 && side <= 10_000);
    if (element !== 'svg' || !isSized)
      throw new Error('does not begin with <svg width="…" height="…">, in pixels');
    size = { width, height };
  }
  if (size === null) throw new Error('empty');
  return size;
}
