/** Names and values in all items together. The first recording of the site's longest page has 14,000. */
const mostValues = 24_000;
/** A browser's envelope has its own header, and for each item a header and one line, or two of a recording. */
const mostLines = 32;

const [newline, quote, comma, colon, backslash] = [0x0a, 0x22, 0x2c, 0x3a, 0x5c];
const [list, object] = [0x5b, 0x7b];

/**
 * Whether a report has so many lines, names or values that parsing and cleaning it would keep the process busy. Counts
 * commas, colons and opening brackets outside texts: parsing takes long when every object has different names.
 */
export function isOversized(report: Uint8Array): boolean {
  let [lines, values, isText] = [1, 0, false];
  for (let at = 0; at < report.length; at += 1) {
    const byte = report[at];
    // JSON texts contain no line breaks.
    if (byte === newline) [lines, isText] = [lines + 1, false];
    else if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === colon || byte === list || byte === object) values += 1;
    if (lines > mostLines || values > mostValues) return true;
  }
  return false;
}
