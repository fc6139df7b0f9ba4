/*
 * The answers of S3 that are read here are flat: elements in a list, and texts in these. Nothing of them is shown or run.
 */

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with its references resolved (XML 1.0, 4.1 and 4.6); unknown ones stay. */
function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The text of the first element of this name; null when there is none. */
export function textOf(xml: string, element: string): string | null {
  const [, text] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? [];
  return text === undefined ? null : unescaped(text);
}

/** The content of each element of this name, without nested elements of the same name. */
export function elementsOf(xml: string, element: string): string[] {
  const parts = xml.split(`<${element}>`).slice(1);
  return parts.flatMap((part) => {
    const end = part.indexOf(`</${element}>`);
    return end === -1 ? [] : [part.slice(0, end)];
  });
}
