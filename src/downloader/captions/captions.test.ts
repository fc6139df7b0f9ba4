import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captionFormats, readCaptions, writeCaptions } from './caption-files.ts';
import { type Cue, cleanCues } from './cues.ts';

const vtt = `WEBVTT

NOTE made by a machine

1
00:00:00.120 --> 00:00:01.920 align:start
<v Ann>Cast off &amp; <c.yellow>hold on</c>

00:02.120 --> 00:03.920
it's
windy
`;

const cues: readonly Cue[] = [
  { startMs: 120, endMs: 1_920, text: 'Cast off & hold on' },
  { startMs: 2_120, endMs: 3_920, text: "it's\nwindy" },
];

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '-->',
    '<script>',
    '\n\n',
    '00:00:01.000 --> 00:00:02.000',
    '&lt;b&gt;',
    'WEBVTT',
    '\u0000',
    '1',
  ),
);
const anyCueParts = {
  startMs: fc.integer({ min: 0, max: 80_000_000 }),
  endMs: fc.integer({ min: 0, max: 86_400_001 }),
};
const anyCue = fc.record({
  ...anyCueParts,
  text: fc.array(anyText, { maxLength: 4 }).map((parts) => parts.join(' ')),
});

describe('captions', () => {
  it('are read from WebVTT, SubRip and JSON alike', () => {
    const srt =
      "1\r\n00:00:00,120 --> 00:00:01,920\r\n<i>Cast off &amp; hold on</i>\r\n\r\n2\r\n00:00:02,120 --> 00:00:03,920\r\nit's\r\nwindy";
    const json = JSON.stringify({
      utterances: [
        { start_time: 120, end_time: 1_920, text: 'Cast off & hold on' },
        { start_time: 'x', end_time: 1, text: 'no time' },
        { start_time: 2_120, end_time: 3_920, text: "it's\nwindy" },
      ],
    });
    for (const file of [vtt, srt, json]) expect(readCaptions(file)).toEqual(cues);
  });

  it('are written as SubRip, WebVTT and text', () => {
    expect(writeCaptions(cues, 'srt')).toBe(
      "1\n00:00:00,120 --> 00:00:01,920\nCast off & hold on\n\n2\n00:00:02,120 --> 00:00:03,920\nit's\nwindy\n",
    );
    expect(writeCaptions(cues, 'vtt')).toBe(
      "WEBVTT\n\n00:00:00.120 --> 00:00:01.920\nCast off &amp; hold on\n\n00:00:02.120 --> 00:00:03.920\nit's\nwindy\n",
    );
    expect(writeCaptions(cues, 'txt')).toBe("Cast off & hold on\nit's\nwindy\n");
  });

  it('write a line that rolls up once', () => {
    const rolling = [
      { startMs: 0, endMs: 1, text: 'one' },
      { startMs: 1, endMs: 2, text: 'one\ntwo' },
    ];
    expect(writeCaptions(rolling, 'txt')).toBe('one\ntwo\n');
  });

  it('keep every cue through WebVTT, whatever text strangers wrote', () => {
    fc.assert(
      fc.property(fc.array(anyCue, { maxLength: 20 }), (given) => {
        const clean = cleanCues(given);
        expect(readCaptions(writeCaptions(clean, 'vtt'))).toEqual(clean);
        // Other programs find no tag in it, and no times except those of the cues.
        expect(writeCaptions(clean, 'vtt')).not.toContain('<');
        for (const format of ['srt', 'vtt'] as const)
          expect(writeCaptions(clean, format).split('-->')).toHaveLength(clean.length + 1);
      }),
    );
  });

  it('keep the times and the number of cues in SubRip', () => {
    const times = (some: readonly Cue[]) => some.map(({ startMs, endMs }) => [startMs, endMs]);
    const visible = fc.string({ minLength: 1, unit: fc.constantFrom('a', '7', '-', '>', '→', '\n', ' ') });
    fc.assert(
      fc.property(fc.array(fc.record({ ...anyCueParts, text: visible }), { maxLength: 20 }), (given) => {
        const clean = cleanCues(given);
        expect(times(readCaptions(writeCaptions(clean, 'srt')))).toEqual(times(clean));
      }),
    );
  });

  it('can be parsed from any text without an error, stay in order, and contain nothing but text', () => {
    fc.assert(
      fc.property(
        fc.array(anyText).map((parts) => parts.join('\n')),
        (file) => {
          const read = readCaptions(file);
          expect(read).toEqual(cleanCues(read));
          for (const format of captionFormats)
            expect(writeCaptions(read, format)).not.toMatch(/[^\P{Cc}\n]/u);
        },
      ),
    );
  });
});
