import type { VideoSample } from 'mediabunny';
import type { Cue } from '../../../../../downloader/captions/cues.ts';
import type { Size } from '../../../video/video-plan.ts';
import { contextOf, sampleOf } from '../canvas-sample.ts';

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

/** Shares of the picture's shorter side. */
const letters = 0.058;
const outline = 0.16;
const lineHeight = 1.28;
/** Shares of the width, and of the height: apps lay their buttons over the edges of a high picture. */
const sideMargin = 0.09;
const footMargin = { high: 0.16, wide: 0.07 };
const mostLines = 4;

/** Draws a video's pictures with what is said. One canvas serves all of them. */
export class CaptionedPicture {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  readonly #cues: readonly Cue[];
  readonly #language: string;
  readonly #lines = new Map<Cue, readonly string[]>();

  constructor(
    { width, height }: Size,
    captions: { readonly cues: readonly Cue[]; readonly language: string } | null,
  ) {
    this.#canvas = new OffscreenCanvas(width, height);
    this.#context = contextOf(this.#canvas);
    this.#cues = captions?.cues ?? [];
    this.#language = captions?.language ?? 'und';
  }

  draw(sample: VideoSample): VideoSample {
    const { width, height } = this.#canvas;
    sample.draw(this.#context, 0, 0, width, height);
    const atMs = sample.timestamp * 1000;
    const cue = this.#cues.findLast(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
    if (cue !== undefined) this.#write(cue);
    return sampleOf(this.#context, sample);
  }

  #write(cue: Cue): void {
    const { width, height } = this.#canvas;
    const context = this.#context;
    const size = Math.round(Math.min(width, height) * letters);
    context.font = `700 ${size}px system-ui, sans-serif`;
    context.direction = isRightToLeft(cue.text) ? 'rtl' : 'ltr';
    // Han letters are not drawn alike in each language; not in all browsers.
    if ('lang' in context) context.lang = this.#language;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.lineJoin = 'round';
    context.lineWidth = size * outline * 2;
    const lines = this.#linesOf(cue, width * (1 - 2 * sideMargin));
    const foot = height * (1 - (height > width ? footMargin.high : footMargin.wide));
    for (const [n, line] of lines.entries()) {
      const y = foot - (lines.length - 1 - n) * size * lineHeight;
      context.strokeStyle = 'rgb(0 0 0 / 85%)';
      context.strokeText(line, width / 2, y);
      context.fillStyle = '#fff';
      context.fillText(line, width / 2, y);
    }
  }

  #linesOf(cue: Cue, mostWidth: number): readonly string[] {
    const known = this.#lines.get(cue);
    if (known !== undefined) return known;
    const widthOf = (text: string) => this.#context.measureText(text).width;
    const lines = breakLines(cue.text, this.#language, mostWidth, widthOf).slice(0, mostLines);
    this.#lines.set(cue, lines);
    return lines;
  }
}
