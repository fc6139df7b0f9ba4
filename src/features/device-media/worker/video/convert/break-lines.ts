/** Scripts that are written without spaces: a line may end after any of their words. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** No line begins with these, the small kana and the mark of a long vowel among them (JIS X 4051, W3C JLREQ 3.1.7). */
const closing = /^[\p{Pe}\p{Pf}\p{Po}ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々]/u;
/** Nor with what only belongs to the word before it: particles and endings of Japanese, particles of Chinese. */
const trailing = /^(?:\p{Script=Hiragana}{1,2}|[的了吗呢吧啊嗎])$/u;
/** And none ends with these. */
const opening = /[\p{Ps}\p{Pi}]$/u;

const strong = /[\p{L}]/u;
const fromRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** True for a text that is read from right to left, by its first letter (Unicode UAX #9, P2). */
export const isRightToLeft = (text: string): boolean => fromRight.test(strong.exec(text)?.[0] ?? '');

/** The pieces between which a line may end; a space stays at the end of its piece. */
function piecesOf(text: string, language: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of segmenter(language, 'word').segment(text)) {
    const last = pieces.at(-1);
    const isSpace = segment.trim() === '';
    const mayBreak =
      last !== undefined &&
      (/\s$/.test(last) || spaceless.test(last.slice(-1)) || spaceless.test(segment.slice(0, 1)));
    const belongs = closing.test(segment) || trailing.test(segment);
    if (last !== undefined && (isSpace || !mayBreak || belongs || opening.test(last)))
      pieces[pieces.length - 1] = last + segment;
    else pieces.push(segment);
  }
  return pieces;
}

function segmenter(language: string, granularity: 'word' | 'grapheme'): Intl.Segmenter {
  // A language tag of the platform may be one that the browser does not take.
  const [known = 'en'] = isTag(language) ? Intl.Segmenter.supportedLocalesOf(language) : [];
  return new Intl.Segmenter(known, { granularity });
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}

/**
 * Breaks what is said into lines that are about as long as each other. Words stay whole unless one is wider than a line.
 * @param widthOf as it is drawn
 */
export function breakLines(
  text: string,
  language: string,
  mostWidth: number,
  widthOf: (text: string) => number,
): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const pieces = piecesOf(paragraph, language).flatMap((piece) =>
      widthOf(piece.trimEnd()) <= mostWidth
        ? [piece]
        : [...segmenter(language, 'grapheme').segment(piece)].map(({ segment }) => segment),
    );
    const greedy = fill(pieces, mostWidth, widthOf);
    if (greedy.length < 2) return greedy;
    const even = (widthOf(paragraph) / greedy.length) * 1.12;
    const balanced = fill(pieces, Math.min(mostWidth, even), widthOf);
    return balanced.length === greedy.length && balanced.every((line) => widthOf(line) <= mostWidth)
      ? balanced
      : greedy;
  });
}

function fill(pieces: readonly string[], mostWidth: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces) {
    if (line !== '' && widthOf((line + piece).trimEnd()) > mostWidth) {
      lines.push(line.trim());
      line = '';
    }
    line += piece;
  }
  return line.trim() === '' ? lines : [...lines, line.trim()];
}
