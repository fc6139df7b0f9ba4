/** Zeros of the digits that keyboards of our languages give besides `0` and its wide form. */
const otherDigits = /[٠-٩۰-۹०-९๐-๙]/g;
const devanagariZero = 0x966;

/** Hours and minutes are optional; seconds have up to three decimals. */
const pattern = /^(?:(?:(\d{1,2}):)?(\d{1,4}):)?(\d{1,10})(?:\.(\d{1,3})\d{0,6})?$/;

/** A sign of {@link otherDigits} as 0 to 9; all of them but Devanagari begin at a multiple of 16. */
function plainDigit(sign: string): string {
  const code = sign.charCodeAt(0);
  return String(code >= devanagariZero && code < devanagariZero + 10 ? code - devanagariZero : code & 15);
}

/**
 * Parses a time in a recording: `12.5`, `0:12.5`, `1:02:03`, also with a decimal comma and in the digits of any of our
 * languages.
 * @returns milliseconds; null for any other text
 */
export function readTime(text: string): number | null {
  const plain = text.normalize('NFKC').trim().replace(otherDigits, plainDigit).replace(/[,٫]/, '.');
  const match = pattern.exec(plain);
  if (match === null) return null;
  const [, hours = '0', minutes = '0', seconds = '0', decimals = ''] = match;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(decimals.padEnd(3, '0'));
}

/** Formats a time: `1:02.5`, with the given number of decimals. */
export function writeTime(ms: number, decimals = 1): string {
  const scale = 10 ** decimals;
  const units = Math.round((ms * scale) / 1000);
  const minutes = Math.floor(units / (60 * scale));
  const seconds = ((units % (60 * scale)) / scale).toFixed(decimals);
  return `${minutes}:${seconds.padStart(decimals === 0 ? 2 : decimals + 3, '0')}`;
}
