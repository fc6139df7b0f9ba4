import type { VideoSample } from 'mediabunny';
import type { Cue } from '../../../../../downloader/captions/cues.ts';
import type { Size } from '../../../video/plan-fit.ts';
import { contextOf, sampleOf } from '../canvas-sample.ts';
import { breakLines, isRightToLeft } from './break-lines.ts';

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
