import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition, fileName } from './file-names.ts';

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

describe('contentDisposition', () => {
  it('is plain for plain names', () => {
    expect(contentDisposition('a-1.mp4')).toBe('attachment; filename=a-1.mp4');
  });

  it('has both forms for others', () => {
    expect(contentDisposition("é'(1)*.mp3")).toBe(
      `attachment; filename="_'(1)*.mp3"; filename*=UTF-8''%C3%A9%27%281%29%2A.mp3`,
    );
  });

  it('is one safe header line for any name, and parses back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(
          /^attachment; filename=([\w.!#$&'*+^`|~-]+|"[^"\\\P{ASCII}\p{Cc}]*")(; filename\*=UTF-8''[\w.!#$&+^`|~%-]*)?$/u,
        );
        const [, encoded] = header.split("filename*=UTF-8''");
        if (encoded !== undefined) expect(decodeURIComponent(encoded)).toBe(name.toWellFormed());
      }),
    );
  });
});
