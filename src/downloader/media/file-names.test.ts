import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileName } from './file-names.ts';

const id = '7412345678901234567';

describe('fileName', () => {
  it('keeps an id unchanged, because each of its characters distinguishes posts', () => {
    expect(fileName({ author: 'ann', id: '-A__b-', extension: 'mp4' })).toBe('ann--A__b-.mp4');
    expect(fileName({ author: '', id: '-A__b-', extension: 'mp4' })).toBe('post-A__b-.mp4');
  });

  it('consists of author, id and what distinguishes the files', () => {
    expect(fileName({ author: 'some.one_1', id, extension: 'mp4' })).toBe(`some.one_1-${id}.mp4`);
    expect(fileName({ author: 'someone', id, suffix: 'hd', extension: 'mp4' })).toBe(`someone-${id}-hd.mp4`);
    expect(fileName({ author: 'нейм', id, extension: 'mp3' })).toBe(`нейм-${id}.mp3`);
  });

  it.each([
    ['../../etc/passwd', `etc_passwd-${id}.mp4`],
    ['con', `con-${id}.mp4`],
    ['con.foo', `_con.foo-${id}.mp4`],
    ['.hidden', `hidden-${id}.mp4`],
    ['--flag', `flag-${id}.mp4`],
    ['a\u202egpj.exe', `a_gpj.exe-${id}.mp4`],
    ['a\u200bb\0c\r\nd', `a_b_c_d-${id}.mp4`],
    ['a"b<c>d|e?f*g:h', `a_b_c_d_e_f_g_h-${id}.mp4`],
    ['🎉🎉', `${id}.mp4`],
    ['', `${id}.mp4`],
  ])('makes %j safe', (author, name) => {
    expect(fileName({ author, id, extension: 'mp4' })).toBe(name);
  });

  it('is safe on every system for any parts', () => {
    const any = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(any, any, any, any, (author, anyId, suffix, extension) => {
        const name = fileName({ author, id: anyId, suffix, extension });
        expect(name).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u);
        expect(name).not.toMatch(/[.\s]$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(name).not.toContain('..');
      }),
      { numRuns: 400 },
    );
  });

  it('fits into 255 bytes', () => {
    const name = fileName({ author: '你'.repeat(300), id, suffix: 'hd', extension: 'mp4' });
    expect(Buffer.byteLength(name)).toBeLessThan(180);
    expect(name.endsWith(`-${id}-hd.mp4`)).toBe(true);
  });
});

describe('a template', () => {
  const post = {
    author: 'ann',
    id,
    text: 'At sea 🚢 with all the gulls',
    createdAt: 1_700_000_000,
    extension: 'mp4',
  };
  const named = (template: string, n?: number) => fileName(post, { template, ...(n !== undefined && { n }) });

  it.each([
    ['{author} {date} {text} {id} {n}', `ann 2023-11-14 At sea with all the gulls ${id} 7.mp4`],
    ['{n} - {text}', '7 - At sea with all the gulls.mp4'],
    ['my films/{date}:{author}', 'my films 2023-11-14 ann.mp4'],
    ['{constructor} {no}', 'constructor no.mp4'],
    ['con', '_con.mp4'],
    ['...', `${id}.mp4`],
  ])('%j names a file', (template, name) => expect(named(template, 7)).toBe(name));

  it('leaves out what is not known, with the signs before it', () => {
    expect(named('{author}-{n}-{id}')).toBe(`ann-${id}.mp4`);
  });

  it('shortens the text, so that what follows it stays', () => {
    const long = fileName({ ...post, text: 'шторм '.repeat(99) }, { template: '{text} {id}' });
    expect(long).toMatch(new RegExp(`^(?:шторм )+.* ${id}\\.mp4$`));
    expect(Buffer.byteLength(long)).toBeLessThan(130);
  });

  it('is safe on every system for any template and text', () => {
    const any = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(any, any, any, (template, text, author) => {
        const name = fileName(
          { ...post, author, text, suffix: 'hd' },
          { template: `{text}${template}{author}` },
        );
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}]|[.\s]$|^[.\s-]/u);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i);
        expect(Buffer.byteLength(name)).toBeLessThan(200);
      }),
      { numRuns: 400 },
    );
  });
});
